use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, max = 5)]
    blocks: Vec<Body>,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text { author: String, caption: String },
    Picture { author: String, size: i32 },
}

fn main() {
    let _ = Post::F.blocks.text().caption.eq("a cat");
}
