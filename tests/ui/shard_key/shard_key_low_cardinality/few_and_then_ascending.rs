use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "articles")]
#[shard_key(month, time_posted, distinct(month = 12), shards = 8)]
struct Article {
    #[serde(rename = "_id")]
    id: ObjectId,
    month: i32,
    time_posted: DateTime,
}

fn main() {}
