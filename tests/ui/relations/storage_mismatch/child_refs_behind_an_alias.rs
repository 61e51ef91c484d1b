use schema_runtime::prelude::*;

type PartIds = Vec<ObjectId>;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, max = 20)]
    parts: PartIds,
}

fn main() {}
