use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(hashed(user), hashed(host))]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    user: i64,
    host: i64,
}

fn main() {}
