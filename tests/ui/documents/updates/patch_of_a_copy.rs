use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Post::author_name, fan_out = 100)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    author: Ref<Author>,
    #[denormalize(from = author.name)]
    author_name: String,
}

#[derive(Patch)]
#[patch(Post)]
struct EditPost {
    author_name: Option<String>,
}

fn main() {}
