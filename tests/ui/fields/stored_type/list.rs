use schema_runtime::prelude::*;

#[derive(Serialize, Deserialize)]
struct Tag(String);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[stored_as(Vec<String>)]
    tags: Vec<Tag>,
}

fn main() {}
