use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[shard_key(hashed(email))]
#[index(email, unique)]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 100)]
    email: String,
}

fn main() {}
