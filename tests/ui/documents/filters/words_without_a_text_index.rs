use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(title)]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
}

fn find() {
    let _ = Post::find(Filter::text("coffee"));
}

fn main() {}
