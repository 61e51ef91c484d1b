use schema_runtime::bson::Document;
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(posts = Post::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts", bucket(size = 50))]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    host: Ref<Host>,
    time: DateTime,
    #[extra]
    #[serde(skip)]
    rest: Document,
}

fn main() {}
