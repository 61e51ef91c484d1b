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
    Text {
        #[bound(max_len = 5_000_000)]
        caption: String,
    },
    Picture { size: i32 },
}

fn main() {}
