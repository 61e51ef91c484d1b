use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    #[index]
    city: String,
}

fn main() {}
