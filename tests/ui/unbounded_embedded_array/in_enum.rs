use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum Body {
    Text(String),
    Images(Vec<String>),
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    body: Body,
}

fn main() {}
