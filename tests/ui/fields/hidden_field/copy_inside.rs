use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Post::author, fan_out = 100)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    author: Hidden<Author>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Author {
    user: Ref<User>,
    #[denormalize(from = user.name)]
    name: String,
}

fn main() {}
