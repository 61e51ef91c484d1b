use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Wrapped<T> {
    value: T,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    tags: Wrapped<Vec<String>>,
}

fn main() {}
