use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Part::maker)]
    name: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct MakerRef {
    id: Ref<Maker>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Product::main)]
    maker: MakerRef,
}

#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    id: Ref<Part>,
    #[denormalize(from = id.maker.name)]
    made_by: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    main: PartRef,
}

fn main() {}
