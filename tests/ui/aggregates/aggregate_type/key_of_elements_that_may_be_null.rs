use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, max = 5)]
    lines: Vec<Option<Line>>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    sku: String,
    price: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, unwind(lines), by(sku = lines.sku))]
struct Row {
    sku: String,
    #[count]
    n: i64,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
