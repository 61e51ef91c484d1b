use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    brand: String,
    status: Status,
    price: f64,
    stock: Option<i32>,
    #[bound(max_items = 5)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 5)]
    lines: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    sku: String,
    #[bound(max_items = 5)]
    marks: Vec<String>,
}

#[derive(Embed, Serialize, Deserialize)]
enum Status {
    New,
    Old,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "offers")]
struct Offer {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: f64,
}

#[derive(Projection, Deserialize)]
#[projection(of = Offer)]
struct Card {
    price: f64,
}

#[derive(Facets, Deserialize)]
#[facets(of = Product)]
struct Search {
    #[page(limit = 20, order = desc(price))]
    found: Vec<Card>,
    #[count]
    total: i64,
}

fn main() {
    let _ = Product::facets::<Search>().filter(Product::F.price.lt(3.0));
}
