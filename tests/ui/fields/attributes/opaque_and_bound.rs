use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[opaque(max_bytes = 100)]
    #[bound(max_len = 60)]
    name: String,
}

fn main() {}
