use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(hashed)]
    #[bound(max_items = 3)]
    tags: Vec<String>,
}

fn main() {}
