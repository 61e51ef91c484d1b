use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[volatile]
struct Size {
    width: i32,
}

fn main() {}
