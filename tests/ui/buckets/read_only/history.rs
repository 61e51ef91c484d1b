use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Price {
    amount: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products", insert_only)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[history(keep = 50)]
    prices: Vec<Price>,
}

fn main() {}
