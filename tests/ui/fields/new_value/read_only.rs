use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users", read_only)]
struct User {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    name: String,
}

fn main() {
    let _ = NewUser { name: "Ada".to_owned() };
}
