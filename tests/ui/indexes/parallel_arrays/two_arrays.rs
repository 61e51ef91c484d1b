use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(tags, labels)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    tags: Vec<String>,
    #[bound(max_items = 3)]
    labels: Vec<String>,
}

fn main() {}
