use std::collections::BTreeMap;

use schema_runtime::bson::Document;
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    #[bound(max_bytes = 40)]
    meta: Document,
    #[bound(max_items = 5)]
    scores: BTreeMap<String, i32>,
    #[bound(max_items = 5)]
    names: BTreeMap<String, String>,
}

fn main() {
    let _ = Post::F.title.key("a").eq("x");
}
