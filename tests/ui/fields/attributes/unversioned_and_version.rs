use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "items")]
struct Item {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    #[unversioned]
    version: i64,
}

fn main() {}
