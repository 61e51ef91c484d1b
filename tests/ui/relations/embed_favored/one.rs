use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "addresses")]
struct Address {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, parent_ref)]
    user: Ref<User>,
}

fn main() {}
