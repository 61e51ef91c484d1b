use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[reference(may_dangle)]
    #[relation(one_to_many, child_refs, by = part, max = 20)]
    used: Vec<Used>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Used {
    part: Ref<Part>,
}

fn main() {}
