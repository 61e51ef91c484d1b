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
    id: Option<ObjectId>,
    title: Option<String>,
}

fn main() {}
