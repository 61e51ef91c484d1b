use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
    #[json(rename = "city")]
    town: String,
}

fn main() {}
