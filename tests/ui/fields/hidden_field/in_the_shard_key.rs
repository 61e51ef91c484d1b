use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
#[shard_key(hashed(region))]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    region: Hidden<String>,
}

fn main() {}
