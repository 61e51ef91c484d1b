use schema_runtime::prelude::*;

#[derive(Serialize, Deserialize)]
struct Foreign(String);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[stored_as(Option<String>)]
    title: Foreign,
}

fn main() {}
