use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, max = 5_001, allow(reference_array_too_large, reason = "rarely read"))]
    related: Vec<Ref<Post>>,
}

fn main() {}
