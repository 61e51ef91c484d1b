use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, child_refs, max = 10)]
    addresses: Vec<Ref<Address>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "addresses")]
struct Address {
    #[serde(rename = "_id")]
    id: ObjectId,
    city: String,
}

fn main() {}
