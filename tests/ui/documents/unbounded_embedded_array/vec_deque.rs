use schema_runtime::prelude::*;

use std::collections::VecDeque;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    tags: VecDeque<String>,
}

fn main() {}
