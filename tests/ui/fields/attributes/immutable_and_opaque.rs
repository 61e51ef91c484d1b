use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[immutable]
    #[opaque(max_bytes = 40)]
    settings: Document,
}

fn main() {}
