use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[model(collection = "addresses")]
struct Address {
    city: String,
}

fn main() {}
