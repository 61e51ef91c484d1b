use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts", validation(level = lenient))]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

fn main() {}
