use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "items")]
struct Item {
    #[serde(rename = "_id")]
    #[unversioned]
    id: i64,
    #[version]
    version: i64,
}

fn main() {}
