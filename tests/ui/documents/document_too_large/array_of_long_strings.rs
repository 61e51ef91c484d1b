use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 2_000, max_len = 10_000)]
    lines: Vec<String>,
}

fn main() {}
