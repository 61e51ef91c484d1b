use std::collections::BTreeMap;

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(text(title), wildcard_text)]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    body: String,
    #[bound(max_items = 3)]
    tags: Vec<String>,
    qty: i64,
    place: [f64; 2],
    #[bound(max_items = 3)]
    attributes: BTreeMap<String, String>,
}

fn main() {}
