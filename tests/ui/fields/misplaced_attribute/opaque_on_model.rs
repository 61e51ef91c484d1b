use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[opaque(max_bytes = 1_000)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
