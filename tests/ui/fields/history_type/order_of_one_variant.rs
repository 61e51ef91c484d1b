use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[history(keep = 5, order = desc(size))]
    bodies: Vec<Body>,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text { author: String, caption: String },
    Picture { author: String, size: i32 },
}

fn main() {}
