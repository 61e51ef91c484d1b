use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Shelf {
    #[unversioned]
    stock: i32,
}

fn main() {}
