use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Comment {
    likes: Vec<String>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, max = 20)]
    comments: Vec<Comment>,
}

fn main() {}
