use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[version]
    version: i64,
}

#[derive(Patch)]
#[patch(Post)]
struct EditPost {
    version: Option<i64>,
}

fn main() {}
