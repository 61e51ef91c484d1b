use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    city: String,
    status: Status,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    New,
    SentBack,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(city))]
struct Row {
    city: String,
    #[count(where(eq(status, "SentBack")))]
    back: i64,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
