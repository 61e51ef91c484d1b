use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, by = id, max = 20)]
    parts: Vec<PartRef>,
}

#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    name: String,
}

fn main() {}
