use schema_runtime::bson::Document;
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[query(with_meta(meta), limit = 20)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_bytes = 40)]
    meta: Document,
}

fn main() {}
