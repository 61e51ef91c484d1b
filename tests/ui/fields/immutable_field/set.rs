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

fn main() {
    let _ = User::update_by_id(ObjectId::new()).set(User::F.email, "ada@example.com");
}
