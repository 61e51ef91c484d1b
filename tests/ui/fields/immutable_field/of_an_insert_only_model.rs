use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users", insert_only)]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[immutable]
    email: String,
}

fn main() {}
