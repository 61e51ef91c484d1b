use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[query(prices_at(name))]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[history(keep = 50, interval(date_start, date_end))]
    prices: Vec<Price>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Price {
    date_start: DateTime,
    date_end: Option<DateTime>,
}

fn main() {}
