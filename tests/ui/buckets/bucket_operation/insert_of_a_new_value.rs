use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(comments = Comment::post)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(at))]
    post: Ref<Post>,
    at: DateTime,
}

async fn insert(db: &Database, post: Ref<Post>) {
    let _ = NewComment { post, at: DateTime::now() }.insert(db).await;
}

fn main() {}
