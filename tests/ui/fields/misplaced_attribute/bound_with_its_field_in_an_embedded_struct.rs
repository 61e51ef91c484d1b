use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[bound(max_items = 3)]
struct Body {
    tags: Vec<String>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    body: Body,
}

fn main() {}
