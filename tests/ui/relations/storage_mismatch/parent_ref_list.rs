use schema_runtime::{BoundedVec, prelude::*};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    related: BoundedVec<Ref<Post>, 3>,
}

fn main() {}
