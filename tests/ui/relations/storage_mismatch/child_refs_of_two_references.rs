use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct Pair {
    left: Ref<Part>,
    right: Ref<Part>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, by = left, max = 200)]
    pub pairs: Vec<Pair>,
}

fn main() {}
