use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[immutable]
    email: String,
    name: String,
}

#[derive(Patch)]
#[patch(User)]
struct EditUser {
    email: Option<String>,
    name: Option<String>,
}

fn main() {}
