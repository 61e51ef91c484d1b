use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[shard_key(hashed(id))]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    #[bound(max_len = 100)]
    email: String,
}

fn main() {}
