use schema_runtime::prelude::*;

use std::collections::HashSet;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Embed, Serialize, Deserialize)]
#[derive(PartialEq, Eq, Hash)]
struct PartRef {
    id: Ref<Part>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, max = 20)]
    parts: HashSet<PartRef>,
}

fn main() {}
