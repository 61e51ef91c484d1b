use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    note: Option<String>,
}

fn main() {
    let _ = Post::update_many(Post::F.title.eq("a")).only_if(Post::F.note.is_null()).set(Post::F.title, "b");
}
