// 11 messages: a `Ref<T>` holds the `_id` of `T`, so rustc refuses each use of the field's type, those of serde's derives too.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    contact: Ref<Contact>,
}

#[derive(Serialize, Deserialize)]
struct Contact {
    email: String,
}

fn main() {}
