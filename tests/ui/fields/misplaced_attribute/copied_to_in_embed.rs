use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    #[copied_to(Product::parts)]
    city: String,
}

fn main() {}
