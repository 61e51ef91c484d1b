use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "scarce", read_only, insert_only)]
struct Scarce {
    #[serde(rename = "_id")]
    id: i64,
}

fn main() {}
