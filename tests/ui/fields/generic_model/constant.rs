use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host<const N: usize> {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
