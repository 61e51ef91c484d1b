use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[stored_as(String)]
    #[serde(rename = "_id")]
    id: String,
}

fn main() {}
