use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(posts = Post::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts", bucket(size = 50), unknown_fields = refuse)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    host: Ref<Host>,
    time: DateTime,
}

fn main() {}
