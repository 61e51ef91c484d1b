use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post<T> {
    #[serde(rename = "_id")]
    id: ObjectId,
    value: Option<T>,
}

fn main() {}
