use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[extra]
    #[serde(skip)]
    rest: Vec<String>,
}

fn main() {}
