use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts", read_only)]
#[shard_key(hashed(id))]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    user: i64,
}

fn main() {}
