use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    note: Option<String>,
}

#[derive(Patch)]
#[patch(Post)]
struct EditPost {
    title: String,
}

fn main() {
    let edit = EditPost { title: "new".to_owned() };
    let _ = Post::update_by_id(ObjectId::new()).apply(&edit);
}
