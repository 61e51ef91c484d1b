use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "scarce", read_only)]
struct Scarce {
    #[serde(rename = "_id")]
    id: i64,
    #[created_at]
    at: DateTime,
}

fn main() {}
