use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    codes: Vec<Hidden<i32>>,
}

fn main() {}
