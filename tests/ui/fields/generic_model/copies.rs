use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct PartRef<T> {
    id: Ref<Part>,
    #[denormalize(from = id.name)]
    name: String,
    more: T,
}

fn main() {}
