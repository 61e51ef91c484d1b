use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique, partial(gt(stars, 0)))]
    email: Option<String>,
    stars: i32,
}

fn main() {}
