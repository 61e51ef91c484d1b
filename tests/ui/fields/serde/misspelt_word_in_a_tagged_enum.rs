use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tagg = "type")]
enum Body {
    Text { words: i32 },
    Image { width: i32 },
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    bodies: Vec<Body>,
}

fn main() {}
