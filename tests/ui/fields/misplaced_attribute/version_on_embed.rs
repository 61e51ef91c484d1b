use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[version]
struct Address {
    city: String,
}

fn main() {}
