use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[shard_key(id, workload(90, 10))]
struct Host {
    #[serde(rename = "_id")]
    #[bound(max_len = 20)]
    id: String,
}

fn main() {}
