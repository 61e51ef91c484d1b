// 5 messages: as `reference_to_no_model`, without the accessors of a relation.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,

    contact: Ref<Contact>,
}

#[derive(Serialize, Deserialize)]
struct Contact {
    email: String,
}

fn main() {}
