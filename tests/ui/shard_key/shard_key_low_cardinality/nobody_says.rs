use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tweets")]
#[shard_key(userid, time_posted)]
struct Tweet {
    #[serde(rename = "_id")]
    id: ObjectId,
    userid: i64,
    time_posted: DateTime,
}

fn main() {}
