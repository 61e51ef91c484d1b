use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(at, ttl("30d"))]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
}

fn main() {}
