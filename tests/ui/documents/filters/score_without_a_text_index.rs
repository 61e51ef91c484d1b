use schema_runtime::{field::SortKey, prelude::*};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(text(title), hidden)]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
}

fn find() {
    let _ = Post::find(Filter::all()).sort(SortKey::score());
}

fn main() {}
