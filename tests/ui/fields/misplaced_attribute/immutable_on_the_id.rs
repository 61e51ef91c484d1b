use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[immutable]
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
