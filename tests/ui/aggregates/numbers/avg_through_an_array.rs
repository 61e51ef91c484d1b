use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    status: String,
    total: i64,
    #[relation(one_to_few, embed, max = 5)]
    lines: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    price: i64,
}

async fn mean(db: &Database) -> Result<Option<f64>> {
    Order::find(Filter::all()).avg(db, Order::F.lines.price).await
}

fn main() {}
