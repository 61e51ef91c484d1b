use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    note: Option<String>,
}

#[derive(Patch, Serialize, Deserialize)]
#[patch(Post)]
struct EditPost {
    #[serde(default, with = "schema_runtime::patch::nullable")]
    note: Option<Option<String>>,
}

fn main() {}
