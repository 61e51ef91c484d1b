use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 2_001)]
    tags: Vec<String>,
}

fn main() {}
