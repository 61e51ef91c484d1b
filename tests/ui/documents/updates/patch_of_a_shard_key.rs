use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[shard_key(hashed(author), distinct(author = 100_000))]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    author: i64,
}

#[derive(Patch)]
#[patch(Post)]
struct EditPost {
    author: Option<i64>,
}

fn main() {}
