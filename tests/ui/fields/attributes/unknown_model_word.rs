use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts", colection = "x")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

fn main() {}
