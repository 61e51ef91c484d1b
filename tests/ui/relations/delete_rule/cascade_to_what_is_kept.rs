use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
#[inverse(posts = Post::user, on_delete = cascade)]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(comments = Comment::post, on_delete = restrict)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    user: Ref<User>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments")]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    post: Ref<Post>,
}

fn main() {}
