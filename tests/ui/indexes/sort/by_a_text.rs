use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    age: i32,
}

fn main() {
    let _ = User::find(Filter::all()).sort("age");
}
