use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    id: Ref<Part>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct Main(PartRef);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    main: Main,
}

fn main() {}
