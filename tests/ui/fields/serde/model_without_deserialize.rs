use schema_runtime::prelude::*;

#[derive(Model, Serialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
