use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[changes(often)]
struct Size {
    width: i32,
}

fn main() {}
