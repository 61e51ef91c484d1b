use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(line.sku, id, distinct(line.sku = 500))]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    line: Option<Line>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    sku: i64,
}

fn main() {}
