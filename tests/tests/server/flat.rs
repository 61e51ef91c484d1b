//! Flat fields: the fields of an embedded struct are stored beside the fields of the struct around the field. The raw
//! documents are compared.

mod documents;
mod foreign;
mod json;
mod property;
mod related;

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use schema_runtime::{prelude::*, schema};
use schema_tests::{CommandLog, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
#[index(home.city, desc(home.place.lat))]
#[query(in_city(home.city as String), order = asc(home.place.lat), limit = 9)]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    home: Address,
    #[bound(max_len = 20)]
    name: String,
    #[relation(one_to_one, embed)]
    spare: Option<Address>,
    #[relation(one_to_few, embed, max = 3)]
    stays: Vec<Stay>,
    #[embed(flat)]
    #[serde(flatten)]
    audit: Audit,
    #[version]
    version: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Address {
    #[serde(rename = "town")]
    #[bound(max_len = 10)]
    city: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    street: Option<String>,
    #[embed(flat)]
    #[serde(flatten)]
    place: Place,
    kind: Kind,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    lat: f64,
    lon: f64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Flat,
    Villa,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Stay {
    year: i32,
    #[embed(flat)]
    #[serde(flatten)]
    place: Place,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Audit {
    by: Option<String>,
    #[bound(max_items = 2, max_len = 9)]
    notes: Vec<String>,
}

/// A patch that names flat fields.
#[derive(Patch, Default)]
#[patch(Person)]
struct EditPerson {
    name: Option<String>,
    #[patch(field = home.city)]
    city: Option<String>,
    #[patch(field = home.street)]
    street: Option<Option<String>>,
    #[patch(field = home.place.lat)]
    lat: Option<f64>,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Person)]
struct Card {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    place: Place,
    town: String,
}

fn address(city: &str) -> Address {
    Address { city: city.to_owned(), street: None, place: Place { lat: 59.9, lon: 10.7 }, kind: Kind::Villa }
}

fn person(id: i64, city: &str) -> Person {
    Person {
        id,
        name: format!("person {id}"),
        home: Address { street: Some("Street 1".to_owned()), ..address(city) },
        spare: Some(address("Bergen")),
        stays: vec![Stay { year: 2020, place: Place { lat: 1.0, lon: 2.0 } }],
        audit: Audit { by: None, notes: vec!["a".to_owned()] },
        version: 0,
    }
}

/// Returns the document of [`person`].
fn stored(id: i64, city: &str) -> Document {
    doc! {
        "_id": id,
        "town": city,
        "street": "Street 1",
        "lat": 59.9,
        "lon": 10.7,
        "kind": "villa",
        "name": format!("person {id}"),
        "spare": { "town": "Bergen", "lat": 59.9, "lon": 10.7, "kind": "villa" },
        "stays": [{ "year": 2020, "lat": 1.0, "lon": 2.0 }],
        "by": Bson::Null,
        "notes": ["a"],
        "version": 0_i64,
    }
}

async fn raw(db: &Database, collection: &str, id: i64) -> Document {
    db.collection(collection).find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

async fn people() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema![Person].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Person::insert_many(&db, [person(1, "Oslo"), person(2, "Rome")]).await.unwrap();
    log.clear();
    (db, log)
}
