use schema_runtime::prelude::*;

use std::collections::HashMap;

#[derive(Embed, Serialize, Deserialize)]
struct Comment {
    text: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 10)]
    comments: HashMap<String, Comment>,
}

fn main() {}
