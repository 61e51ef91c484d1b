use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    #[history(keep = 5)]
    secret: Hidden<Vec<i32>>,
}

fn main() {}
