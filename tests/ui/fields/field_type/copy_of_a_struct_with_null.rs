use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Size {
    width: Option<i32>,
}

#[derive(Embed, Serialize, Deserialize)]
struct View {
    width: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Product::parts)]
    size: Size,
}

#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    id: Ref<Part>,
    #[denormalize(from = id.size)]
    size: View,
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
