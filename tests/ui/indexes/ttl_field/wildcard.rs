use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(wildcard, ttl = "1h")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    seen: DateTime,
}

fn main() {}
