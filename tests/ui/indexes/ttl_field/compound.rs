use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(time, title, ttl = "30d")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    time: DateTime,
}

fn main() {}
