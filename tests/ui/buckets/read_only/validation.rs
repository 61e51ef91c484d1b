use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "scarce", read_only, validation(level = moderate))]
struct Scarce {
    #[serde(rename = "_id")]
    id: i64,
}

fn main() {}
