use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Part::made_by)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    maker: Ref<Maker>,
    #[denormalize(from = maker.name)]
    #[copied_to(Product::parts)]
    made_by: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    id: Ref<Part>,
    #[denormalize(from = id.made_by)]
    made_by: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, by = id, max = 200)]
    parts: Vec<PartRef>,
}

fn main() {}
