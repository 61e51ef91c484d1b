use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    body: Body,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text { author: String, city: String, language: String, likes: i32, dislikes: i32, views: i32, public: bool, width: String },
    Picture { author: String, city: String, language: String, likes: i32, dislikes: i32, views: i32, public: bool, width: i32 },
}

fn main() {
    let _ = Post::F.body.width.eq(3);
}
