use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    note: Option<String>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments")]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

#[derive(Patch)]
#[patch(Post)]
struct EditPost {
    title: Option<String>,
}

fn main() {
    let _ = Comment::update_by_id(ObjectId::new()).apply(&EditPost { title: None });
}
