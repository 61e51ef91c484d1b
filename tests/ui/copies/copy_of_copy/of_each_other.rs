use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "left")]
struct Left {
    #[serde(rename = "_id")]
    id: ObjectId,
    right: Ref<Right>,
    #[denormalize(from = right.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "right")]
struct Right {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Left::name)]
    name: String,
    left: Ref<Left>,
    #[denormalize(from = left.name)]
    other: String,
}

fn main() {}
