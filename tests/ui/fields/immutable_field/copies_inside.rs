use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Order::part, fan_out = 400)]
    name: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    part: Ref<Part>,
    #[denormalize(from = part.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[immutable]
    #[relation(one_to_one, embed)]
    part: PartRef,
}

fn main() {}
