use schema_runtime::bson::Bson;
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    #[bound(max_bytes = 40)]
    id: Bson,
}

fn main() {}
