use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Price {
    amount: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[history(keep = 50)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    prices: Vec<Price>,
}

fn main() {}
