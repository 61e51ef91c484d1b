use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Offer {
    #[history(keep = 50)]
    prices: Vec<i64>,
}

fn main() {}
