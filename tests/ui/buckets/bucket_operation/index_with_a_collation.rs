use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
#[index(author, case_insensitive)]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    post: Ref<Post>,
    author: String,
    created_on: DateTime,
    likes: i32,
}

fn main() {}
