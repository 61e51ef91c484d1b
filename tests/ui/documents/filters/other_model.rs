use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Comment {
    text: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    likes: i64,
    #[relation(one_to_few, embed, max = 20)]
    comments: Vec<Comment>,
}

fn main() {
    let _: Filter<Post> = Author::F.name.eq("a");
}
