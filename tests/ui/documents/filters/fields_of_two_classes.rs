use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[version]
    version: i64,
    stock: i32,
    rate: f64,
    name: String,
    note: Option<String>,
    size: Option<i32>,
    #[bound(max_items = 10, max_len = 20)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 5)]
    parts: Vec<Part>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Part {
    first: i32,
    second: i32,
}

fn main() {
    let _ = Good::F.stock.lt_field(Good::F.name);
}
