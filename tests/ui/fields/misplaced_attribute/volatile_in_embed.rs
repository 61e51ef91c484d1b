use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    #[volatile]
    city: String,
}

fn main() {}
