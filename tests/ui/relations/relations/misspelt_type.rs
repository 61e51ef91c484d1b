use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,

    contact: Contct,
}

#[derive(Serialize, Deserialize)]
struct Contact {
    email: String,
}

fn main() {}
