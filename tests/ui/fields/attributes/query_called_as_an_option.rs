use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[query(page(title), one)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

fn main() {}
