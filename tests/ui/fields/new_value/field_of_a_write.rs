use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users", new)]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[created_at]
    created: DateTime,
}

fn main() {
    let _ = NewUser { id: ObjectId::new(), name: "Ada".to_owned(), created: DateTime::now() };
}
