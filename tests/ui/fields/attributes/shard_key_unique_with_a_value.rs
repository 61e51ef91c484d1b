use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[shard_key(title, unique = true)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

fn main() {}
