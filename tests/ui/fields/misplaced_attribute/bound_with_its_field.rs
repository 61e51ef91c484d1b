use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[bound(max_items = 3)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    tags: Vec<String>,
}

fn main() {}
