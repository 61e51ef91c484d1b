use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, max = 3)]
    related: Vec<Ref<Post>>,
}

fn main() {}
