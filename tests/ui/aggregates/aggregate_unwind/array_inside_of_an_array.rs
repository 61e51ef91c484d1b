use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    city: String,
    #[relation(one_to_few, embed, max = 5)]
    lines: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    #[bound(max_items = 5)]
    parts: Vec<String>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, unwind(lines.parts), by(city))]
struct Row {
    city: String,
    #[count]
    parts: i64,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
