use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    name: String,
    #[default(0)]
    size: i64,
}

fn main() {
    let _ = NewUser { size: None };
}
