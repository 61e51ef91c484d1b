use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(body.size)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    body: Body,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text { size: String },
    Picture { size: i32 },
}

fn main() {}
