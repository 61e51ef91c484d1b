use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[embed(flat)]
    #[serde(flatten)]
    home: Address,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "letters")]
struct Letter {
    #[serde(rename = "_id")]
    id: ObjectId,
    person: Ref<Person>,
    #[denormalize(from = person.home, snapshot)]
    home: Address,
}

fn main() {}
