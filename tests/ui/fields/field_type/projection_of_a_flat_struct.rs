use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
    street: i32,
}

#[derive(Embed, Serialize, Deserialize)]
struct Town {
    city: String,
    street: String,
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

#[derive(Projection, Deserialize)]
#[projection(of = Person)]
struct Card {
    #[embed(flat)]
    #[serde(flatten)]
    home: Town,
}

fn main() {}
