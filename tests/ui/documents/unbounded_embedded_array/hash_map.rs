use schema_runtime::prelude::*;

use std::collections::HashMap;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    votes: HashMap<String, i64>,
}

fn main() {}
