use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, max = 5)]
    contacts: Vec<Contact>,
}

#[derive(Serialize, Deserialize)]
struct Contact {
    email: String,
}

fn main() {}
