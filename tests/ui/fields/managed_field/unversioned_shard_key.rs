use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "items")]
#[shard_key(shop, id)]
struct Item {
    #[serde(rename = "_id")]
    id: i64,
    #[unversioned]
    shop: i64,
    #[version]
    version: i64,
}

fn main() {}
