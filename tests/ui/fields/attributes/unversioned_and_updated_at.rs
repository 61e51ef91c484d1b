use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "items")]
struct Item {
    #[serde(rename = "_id")]
    id: i64,
    #[unversioned]
    #[updated_at]
    updated: DateTime,
    #[version]
    version: i64,
}

fn main() {}
