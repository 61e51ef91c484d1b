use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id", default, skip_serializing_if = "String::is_empty")]
    id: String,
}

fn main() {}
