use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(line, id)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    line: Line,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    sku: i64,
}

fn main() {}
