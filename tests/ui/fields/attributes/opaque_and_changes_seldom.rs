use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[changes(seldom, per_day = 3)]
    #[opaque(max_bytes = 1_000)]
    settings: String,
}

fn main() {}
