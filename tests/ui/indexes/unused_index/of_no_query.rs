use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "articles")]
#[query(by_author(author), order = desc(time))]
#[index(title)]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    author: String,
    title: String,
    time: i64,
}

fn main() {}
