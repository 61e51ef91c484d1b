use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, child_refs, max = 20)]
    related: Vec<Ref<Post>>,
}

fn main() {}
