use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[history(keep = 50, interval(cents, date_end))]
    prices: Vec<Price>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Price { cents: i64, date_start: DateTime, date_end: Option<DateTime> }

fn main() {}
