use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(comments = Comment::post)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    author: Ref<User>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    post: Ref<Post>,
    #[bound(max_len = 100)]
    text: String,
}

async fn f(db: &Database, posts: &[Post]) {
    let _ = (Post::AUTHOR, Post::COMMENTS).load(db, posts).await;
}

fn main() {}
