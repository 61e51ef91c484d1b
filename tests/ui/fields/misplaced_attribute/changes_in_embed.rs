use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    #[changes(often)]
    city: String,
}

fn main() {}
