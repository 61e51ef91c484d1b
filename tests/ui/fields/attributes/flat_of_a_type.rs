use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[embed(flat)]
struct Address {
    city: String,
}

fn main() {}
