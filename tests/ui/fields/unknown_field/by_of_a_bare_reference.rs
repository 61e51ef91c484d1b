use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, by = id, max = 200)]
    parts: Vec<Ref<Part>>,
}

fn main() {}
