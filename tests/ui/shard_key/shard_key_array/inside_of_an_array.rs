use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(lines.sku, id)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_few, embed, max = 20)]
    lines: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    sku: i64,
}

fn main() {}
