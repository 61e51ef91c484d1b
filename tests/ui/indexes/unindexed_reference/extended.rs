use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
#[inverse(orders = Order::part, on_delete = cascade)]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    part: Ref<Part>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "kits")]
struct Kit {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, child_refs, by = id, max = 100)]
    parts: Vec<PartRef>,
}

#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    id: Ref<Part>,
    place: i32,
}

fn main() {
    schema![Part, Order, Kit];
}
