use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
    title: String,
}

fn main() {
    let _ = Post::update_one(Post::F.title.eq("a")).current_date(Post::F.updated);
}
