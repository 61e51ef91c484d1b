use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
struct Host {
    #[model(collection = "hosts")]
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
