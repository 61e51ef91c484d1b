//! JSON of raw values, and of values that keep unknown fields.

use std::collections::BTreeSet;

use schema_runtime::{
    JsonErrorKind,
    json::{from_json, to_json},
};
use serde_json::{Value, json};

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "bags")]
struct Bag {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_bytes = 4_000)]
    any: Bson,
    #[bound(max_bytes = 4_000)]
    meta: Document,
    #[bound(max_bytes = 4_000)]
    json: Value,
    #[extra]
    #[serde(skip)]
    rest: Document,
}

#[test]
fn raw_values_have_the_extended_form_and_come_back() {
    let id = ObjectId::from_bytes([7; 12]);
    let meta = doc! { "when": DateTime::from_millis(5), "n": 5, "list": [id, Bson::Null, 1.5] };
    let bag = Bag { id: 1, any: id.into(), meta, json: json!({ "a": [1, "x"] }), rest: doc! { "secret": 1 } };
    let printed = to_json(&bag).unwrap();
    assert_eq!(printed["json"], json!({ "a": [1, "x"] }));
    assert_eq!(printed["any"], json!({ "$oid": "070707070707070707070707" }));
    // Unknown fields belong to another program, and are no part of the JSON of clients.
    let names: BTreeSet<&str> = printed.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["any", "id", "json", "meta"]));
    let read: Bag = from_json(printed.to_string()).unwrap();
    assert_eq!(read, Bag { rest: doc! {}, ..bag });
}

#[test]
fn an_unknown_field_of_a_text_is_refused_with_extra_too() {
    let error = from_json::<Bag>(r#"{"id": 1, "any": 1, "meta": {}, "json": 1, "secret": 2}"#).unwrap_err();
    assert!(matches!(error.kind(), JsonErrorKind::UnknownField), "{error:?}");
    let error = from_json::<Bag>(r#"{"id": 1, "any": 1, "meta": {}, "json": 1, "rest": {}}"#).unwrap_err();
    assert!(matches!(error.kind(), JsonErrorKind::UnknownField), "{error:?}");
}

#[test]
fn invalid_texts_are_typed_errors() {
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let values = [
        deep.as_str(),
        r#"{"$where": "x"}"#,
        r#"{"a": {"$gt": 1}}"#,
        r#"{"a\u0000b": 1}"#,
        r#"{"$oid": "x"}"#,
        r#"{"a": 1, "a": 2}"#,
        "[1",
    ];
    for value in values {
        for field in ["any", "json"] {
            let of = |name: &str| if name == field { value } else { "null" };
            let text = format!(r#"{{"id": 1, "any": {}, "meta": {{}}, "json": {}}}"#, of("any"), of("json"));
            let error = from_json::<Bag>(&text).unwrap_err();
            assert!(!error.to_string().contains("where"), "{error}");
        }
    }
    let error = from_json::<Bag>(r#"{"id": 1, "any": 1, "meta": 5, "json": 1}"#).unwrap_err();
    assert_eq!(error.path(), "meta");
}
