use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[embed(crate = "schema_runtime")]
struct Address {
    city: String,
}

fn main() {}
