use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[stored_as(String)]
struct Email(String);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    email: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = Person)]
struct Card {
    email: Email,
}

fn main() {}
