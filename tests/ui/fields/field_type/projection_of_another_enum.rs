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
    Text { author: String, caption: String },
    Picture { author: String, size: i32 },
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Other {
    Text { author: String, caption: String },
}

#[derive(Projection, Deserialize)]
#[projection(of = Post)]
struct PostBody {
    body: Other,
}

fn main() {}
