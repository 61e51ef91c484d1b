use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    #[auto(with = next)]
    id: i64,
}

fn next() -> String {
    String::new()
}

fn main() {}
