use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    #[auto(sequence, with = next)]
    id: i64,
}

fn next() -> i64 {
    1
}

fn main() {}
