use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Price {
    cents: i64,
    from: chrono::NaiveDate,
    until: Option<chrono::NaiveDate>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[history(keep = 50, interval(from, until))]
    prices: Vec<Price>,
}

fn main() {}
