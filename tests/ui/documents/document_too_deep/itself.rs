use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Comment {
    text: String,
    answer: Option<Box<Comment>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, embed)]
    comment: Comment,
}

fn main() {}
