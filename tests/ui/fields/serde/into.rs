use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "posts")]
#[serde(into = "Stored")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(rename = "_id")]
    id: ObjectId,
}

impl From<Post> for Stored {
    fn from(post: Post) -> Self {
        Stored { id: post.id }
    }
}

fn main() {}
