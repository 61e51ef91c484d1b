use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
    #[updated_at]
    updated: DateTime,
}

fn main() {}
