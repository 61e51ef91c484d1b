use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(comments = Comment::post)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(by = day(time), size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    post: Ref<Post>,
    time: DateTime,
}

fn wrong(post: &Post) {
    let _ = post.comments().bucket(2);
}

fn main() {}
