// 4 messages: each field is judged by itself.
use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
    street: String,
    #[relation(one_to_one, embed)]
    place: Place,
}

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    lat: f64,
    lon: f64,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Contact {
    Mail { text: String },
    Phone { text: String, extension: i32 },
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_one, embed)]
    home: Address,
    #[relation(one_to_few, embed, max = 10)]
    others: Vec<Address>,
    work: Option<Address>,
    contact: Contact,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct City {
    city: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct Somewhere {
    place: Latitude,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Latitude {
    lat: f64,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    text: String,
}

/// It has all fields.
#[derive(Embed, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    lat: f64,
    lon: f64,
}

#[derive(Embed, Serialize, Deserialize)]
struct InWhole {
    place: Whole,
}

#[derive(Projection, Deserialize)]
#[projection(of = Person)]
struct PersonView {
    home: City,
    others: Vec<City>,
    work: Option<Somewhere>,
    contact: Text,
}

#[derive(Projection, Deserialize)]
#[projection(of = Person)]
struct Right {
    home: InWhole,
    others: Vec<InWhole>,
}

fn main() {}
