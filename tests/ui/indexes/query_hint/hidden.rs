use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[query(of_author(author), hint = "by_author")]
#[index(author, time, hidden, name = "by_author")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    author: String,
    time: i64,
}

fn main() {}
