use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    customer: Ref<Customer>,
    status: String,
    total: i64,
    rate: f64,
    discount: Option<i64>,
    placed: DateTime,
    #[bound(max_items = 5)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 5)]
    lines: Vec<Line>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    price: i64,
}

#[derive(Projection, Deserialize)]
#[projection(of = Order)]
struct Card {
    total: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status))]
struct Row {
    status: String,
    #[top(order = desc(total))]
    best: Vec<Card>,
    #[count]
    n: i64,
}

fn main() {
    let _ = Order::aggregate::<Row>().having(Row::F.n.gte(1)).sort(Row::F.n.desc());
}
