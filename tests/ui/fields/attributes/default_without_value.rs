use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[default(1, 2)]
    size: i64,
}

fn main() {
    let _ = NewUser { id: ObjectId::new(), size: None };
}
