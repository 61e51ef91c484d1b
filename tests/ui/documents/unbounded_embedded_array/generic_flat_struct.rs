use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Page<T> {
    items: T,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[embed(flat)]
    #[serde(flatten)]
    page: Page<Vec<i32>>,
}

fn main() {}
