use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    prices_at: Ref<Shop>,
    #[history(keep = 50, order = desc(from), interval(from, until))]
    prices: Vec<Price>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Price {
    cents: i64,
    from: DateTime,
    until: Option<DateTime>,
}

fn main() {}
