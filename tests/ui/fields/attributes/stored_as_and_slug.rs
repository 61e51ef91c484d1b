use schema_runtime::prelude::*;

#[derive(Serialize, Deserialize)]
struct Foreign(String);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[slug(from = name, max_len = 80)]
    #[stored_as(String)]
    title: Foreign,
}

fn main() {}
