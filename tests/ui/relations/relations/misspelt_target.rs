// 2 messages: rustc adds another help where the struct itself says the type than where the derive does.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    contact: Ref<Contct>,
}

#[derive(Serialize, Deserialize)]
struct Contact {
    email: String,
}

fn main() {}
