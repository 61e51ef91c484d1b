use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, embed)]
    contact: Contact,
}

#[derive(Serialize, Deserialize)]
struct Contact {
    email: String,
}

fn main() {}
