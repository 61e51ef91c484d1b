use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[relation(one_to_few, child_refs, max = 5)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    others: Vec<Ref<Post>>,
}

fn main() {}
