use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "scarce", insert_only)]
struct Scarce {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    rev: i64,
}

fn main() {}
