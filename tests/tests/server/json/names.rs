//! The names of fields in JSON: skipped, renamed, and the `_id`.

use schema_runtime::{
    JsonErrorKind,
    json::{self, JsonOptions},
    prelude::*,
};
use schema_tests::database;
use serde_json::json;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: i32,
    #[serde(rename = "n")]
    #[json(rename = "name")]
    name: String,
    #[json(skip)]
    #[serde(default)]
    password: String,
    #[relation(one_to_few, embed, max = 3)]
    addresses: Vec<Address>,
    #[relation(one_to_one, embed)]
    contact: Contact,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Address {
    city: String,
    #[json(skip)]
    code: Option<i32>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "by")]
enum Contact {
    Mail {
        #[json(rename = "address")]
        mail: String,
    },
    Phone {
        #[json(rename = "address")]
        number: i64,
        #[json(skip)]
        private: Option<bool>,
    },
}

#[derive(Projection, Serialize, Deserialize, Debug, PartialEq)]
#[projection(of = Account)]
struct Name {
    #[serde(rename = "_id")]
    #[json(rename = "account")]
    id: i32,
    #[serde(rename = "n")]
    name: String,
}

/// The struct has a field `id` beside the `_id`, and needs a skipped field.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "keys")]
struct Key {
    #[serde(rename = "_id")]
    key: i32,
    id: String,
    #[json(skip)]
    secret: String,
}

/// A model of several shapes.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shapes")]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Circle {
        #[serde(rename = "_id")]
        id: i32,
        #[json(rename = "size")]
        radius: f64,
    },
    Square {
        #[serde(rename = "_id")]
        id: i32,
        #[json(rename = "size")]
        side: i32,
    },
}

fn account() -> Account {
    let contact = Contact::Phone { number: 5, private: Some(true) };
    let addresses = vec![Address { city: "Oslo".into(), code: Some(7) }];
    Account { id: 1, name: "Ada".into(), password: "hunter2".into(), addresses, contact }
}

#[tokio::test]
async fn fields_are_skipped_and_renamed() {
    let db = database().await;
    Account::insert(&db, &account()).await.unwrap();
    let read = Account::get_by_id(&db, 1).await.unwrap();
    assert_eq!(read, account(), "JSON does not change the stored document");
    let value = json::to_json(&read).unwrap();
    let expected = json!({
        "id": 1, "name": "Ada", "addresses": [{ "city": "Oslo" }], "contact": { "by": "Phone", "address": 5 }
    });
    assert_eq!(value, expected);
    let view = Account::find(Filter::all()).select::<Name>().fetch_one(&db).await.unwrap();
    assert_eq!(json::to_json(&view).unwrap(), json!({ "account": 1, "n": "Ada" }));
}

#[test]
fn skipped_fields_are_defaults_when_they_are_read() {
    let value = json::to_json(&account()).unwrap();
    let contact = Contact::Phone { number: 5, private: None };
    let addresses = vec![Address { city: "Oslo".into(), code: None }];
    let expected = Account { password: String::new(), addresses, contact, ..account() };
    assert_eq!(json::from_value::<Account>(&value).unwrap(), expected);
    let mut given = value.clone();
    given["password"] = json!("chosen by a client");
    let error = json::from_value::<Account>(&given).unwrap_err();
    assert_eq!((error.path(), error.kind()), ("password", &JsonErrorKind::UnknownField));
    let ignored: Account = JsonOptions::new().ignore_unknown_fields().from_value(&given).unwrap();
    assert_eq!(ignored, expected, "a client does not set a skipped field");
    let mut given = value.clone();
    given["n"] = json!("x");
    assert_eq!(json::from_value::<Account>(&given).unwrap_err().kind(), &JsonErrorKind::UnknownField);
}

#[test]
fn a_struct_that_needs_a_skipped_field_is_written_and_not_read() {
    let key = Key { key: 1, id: "a".into(), secret: "s".into() };
    let value = json::to_json(&key).unwrap();
    assert_eq!(value, json!({ "_id": 1, "id": "a" }), "another field has the name `id`");
    let error = json::from_value::<Key>(&value).unwrap_err();
    assert_eq!((error.path(), error.kind()), ("secret", &JsonErrorKind::SkippedField));
}

#[test]
fn variants_have_names_of_their_own() {
    for (shape, value) in [
        (Shape::Circle { id: 1, radius: 0.5 }, json!({ "kind": "circle", "id": 1, "size": 0.5 })),
        (Shape::Square { id: 2, side: 3 }, json!({ "kind": "square", "id": 2, "size": 3 })),
    ] {
        assert_eq!(json::to_json(&shape).unwrap(), value);
        assert_eq!(json::from_value::<Shape>(&value).unwrap(), shape);
    }
    let error = json::from_value::<Shape>(&json!({ "kind": "square", "id": 2, "size": 3.5 })).unwrap_err();
    assert_eq!(error.path(), "size");
}
