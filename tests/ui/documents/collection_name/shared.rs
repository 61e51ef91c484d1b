use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Customer {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {
    let _ = schema![Person, Customer];
}
