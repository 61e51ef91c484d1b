use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
