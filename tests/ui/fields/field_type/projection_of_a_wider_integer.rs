use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: ObjectId,
    posts: i64,
}

#[derive(Projection, Deserialize)]
#[projection(of = Author)]
struct AuthorPosts {
    posts: i32,
}

fn main() {}
