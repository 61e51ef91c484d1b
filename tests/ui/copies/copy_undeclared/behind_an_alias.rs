use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

type PartId = Ref<Part>;

#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    id: PartId,
    #[denormalize(from = id.name)]
    name: String,
}

type Parts = Vec<PartRef>;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, by = id, max = 200)]
    parts: Parts,
}

fn main() {}
