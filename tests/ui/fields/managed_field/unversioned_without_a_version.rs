use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "items")]
struct Item {
    #[serde(rename = "_id")]
    id: i64,
    #[unversioned]
    stock: i32,
}

fn main() {}
