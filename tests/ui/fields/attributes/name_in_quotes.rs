use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref, inverse = "posts")]
    host: Ref<Post>,
}

fn main() {}
