use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[hidden]
    #[serde(rename = "_id")]
    id: Hidden<ObjectId>,
}

fn main() {}
