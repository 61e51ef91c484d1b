use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    post: Ref<Post>,
    #[bound(max_len = 100)]
    #[copied_to(Vote::text)]
    text: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "votes")]
struct Vote {
    #[serde(rename = "_id")]
    id: ObjectId,
    text: String,
}

fn main() {}
