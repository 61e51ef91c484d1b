use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    #[relation(one_to_few, embed, max = 50)]
    comments: Vec<Comment>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Comment {
    name: String,
}

fn main() {
    let _ = Post::COMMENTS.find(|comment| comment.name.eq("Alice")).sort(|_| Post::F.title.asc());
}
