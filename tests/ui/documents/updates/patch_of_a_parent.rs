use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Post>>,
}

#[derive(Patch)]
#[patch(Post)]
struct EditPost {
    parent: Option<Ref<Post>>,
}

fn main() {}
