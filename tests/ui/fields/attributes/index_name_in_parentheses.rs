use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(title, name("by_title"))]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

fn main() {}
