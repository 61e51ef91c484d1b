use schema_runtime::prelude::*;

#[derive(Serialize, Deserialize)]
struct Foreign(String);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(count(Post::title))]
    #[stored_as(i64)]
    title: Foreign,
}

fn main() {}
