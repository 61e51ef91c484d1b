use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Comment::author)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    post: Ref<Post>,
    author: Author,
}

#[derive(Embed, Serialize, Deserialize)]
struct Author {
    id: Ref<User>,
    #[denormalize(from = id.name)]
    name: String,
}

fn main() {}
