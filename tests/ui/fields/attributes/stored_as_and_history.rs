use schema_runtime::prelude::*;

#[derive(Serialize, Deserialize)]
struct Foreign(String);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[stored_as(String)]
    #[history(keep = 5, order = desc(at))]
    title: Foreign,
}

fn main() {}
