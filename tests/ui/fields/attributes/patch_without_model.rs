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
struct EditPost {
    title: Option<String>,
}

fn main() {
    let edit = EditPost { title: None };
    let _ = Post::update_by_id(ObjectId::new()).apply(&edit);
}
