use schema_runtime::prelude::*;

type PartId = ObjectId;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    part: PartId,
}

fn main() {}
