use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "articles")]
#[query(find(title))]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[bound(max_items = 10, max_len = 20)]
    tags: Vec<String>,
    #[bound(max_items = 10, max_len = 20)]
    words: Vec<String>,
    address: Address,
    published: Option<DateTime>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
    stars: i32,
}

fn main() {}
