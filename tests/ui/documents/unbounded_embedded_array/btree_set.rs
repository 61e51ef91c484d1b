use schema_runtime::prelude::*;

use std::collections::BTreeSet;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    tags: BTreeSet<String>,
}

fn main() {}
