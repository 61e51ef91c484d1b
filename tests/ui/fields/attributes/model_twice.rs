use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[model(validation(level = moderate))]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
