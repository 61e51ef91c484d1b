use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
#[denormalize(from = part.name)]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
