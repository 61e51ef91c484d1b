use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, max = 5)]
    sizes: Vec<Size>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Size {
    width: i32,
}

#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    id: Ref<Part>,
    #[denormalize(from = id.sizes.width)]
    width: i32,
}

fn main() {}
