use schema_runtime::prelude::*;

type Tags = Vec<String>;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    tags: Tags,
}

fn main() {}
