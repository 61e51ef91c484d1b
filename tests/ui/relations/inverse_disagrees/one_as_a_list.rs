use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
#[inverse(address = Address::user)]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "addresses")]
struct Address {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, parent_ref, standalone)]
    user: Ref<User>,
}

fn main() {}
