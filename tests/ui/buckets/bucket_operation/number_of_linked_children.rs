use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(comments = Comment::post)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments")]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, inverse = comments)]
    post: Ref<Post>,
}

async fn f(db: &Database, post: &Post) {
    let _ = post.comments().bucket(2).fetch_all(db).await;
}

fn main() {}
