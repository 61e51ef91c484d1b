use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    note: Option<String>,
}

#[derive(Patch, Deserialize)]
#[patch(Post)]
struct EditPost {
    note: Option<Option<String>>,
}

fn main() {}
