use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people", collation(locale = "nb"))]
#[shard_key(town, distinct(town = 100_000))]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 50)]
    town: String,
}

fn main() {}
