use schema_runtime::prelude::*;

type Id = [i32; 3];

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: Id,
}

fn main() {}
