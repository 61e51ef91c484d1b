use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[query(titled(title))]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[serde(rnme = "t")]
    title: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments")]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    post: Ref<Post>,
}

fn read(comment: &Comment) {
    let _ = Post::find(Post::F.title.eq("a"));
    let _ = Post::titled("a");
    let _ = comment.post();
}

fn main() {}
