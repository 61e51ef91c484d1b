use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Home {
    #[immutable]
    city: String,
}

fn main() {}
