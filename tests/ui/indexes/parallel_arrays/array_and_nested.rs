use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Comment {
    text: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(comments.text, tags)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 20)]
    comments: Vec<Comment>,
}

fn main() {}
