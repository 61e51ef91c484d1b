use schema_runtime::prelude::*;

type Likes = Vec<String>;

#[derive(Embed, Serialize, Deserialize)]
struct Comment {
    likes: Likes,
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
