use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    sku: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, max = 20)]
    lines: Vec<Line>,
    #[relation(one_to_one, embed)]
    address: Option<Address>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sales", view(of = Order, from(city = address.city)))]
struct Sales {
    #[serde(rename = "_id")]
    id: ObjectId,
    city: String,
}

fn main() {}
