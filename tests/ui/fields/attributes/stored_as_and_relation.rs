use schema_runtime::prelude::*;

#[derive(Serialize, Deserialize)]
struct Foreign(String);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, embed)]
    #[stored_as(String)]
    title: Foreign,
}

fn main() {}
