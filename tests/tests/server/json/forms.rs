//! The JSON form of each type, against an expectation by hand, and extended JSON of each type.

use std::collections::{BTreeMap, HashMap};

use schema_runtime::{
    bson::{Binary, Document, doc, spec::BinarySubtype},
    json::{self, Json, JsonOptions},
    prelude::*,
};
use schema_tests::database;
use serde_json::{Value, json};

use super::*;

fn expected() -> Value {
    json!({
        "objectId": "abababababababababababab",
        "text": "Zürich \"\\\u{1}",
        "letter": "é",
        "flag": true,
        "byte": -8,
        "int": 7,
        "long": 9_007_199_254_740_993_i64,
        "unsigned": 4_294_967_295_u32,
        "large": 9_223_372_036_854_775_807_i64,
        "double": 0.1,
        "single": 0.1,
        "date": "2024-02-29T12:30:00.120Z",
        "price": "12.50",
        "uuid": "5c5c5c5c-5c5c-5c5c-5c5c-5c5c5c5c5c5c",
        "bytes": "/wAB",
        "clock": { "$timestamp": { "t": 5, "i": 6 } },
        "maker": "cdcdcdcdcdcdcdcdcdcdcdcd",
        "owner": "ada",
        "sku": "x-1",
        "language": "old_norse",
    })
}

#[test]
fn each_type_has_its_form() {
    assert_eq!(json::to_json(&values()).unwrap(), expected());
    assert_eq!(json::from_value::<Values>(&expected()).unwrap(), values());
    let text = serde_json::to_string(&Json(&values())).unwrap();
    assert_eq!(text.parse::<Value>().unwrap(), expected());
    assert!(text.starts_with(r#"{"objectId":"abababababababababababab","text":"#), "the order of the fields: {text}");
    assert_eq!(json::from_json::<Values>(&text).unwrap(), values());
}

/// Extended JSON of one value is read as the plain form.
#[test]
fn extended_json_is_read_where_its_type_is_expected() {
    for (name, extended) in [
        ("objectId", json!({ "$oid": "abababababababababababab" })),
        ("maker", json!({ "$oid": "cdcdcdcdcdcdcdcdcdcdcdcd" })),
        ("int", json!({ "$numberInt": "7" })),
        ("long", json!({ "$numberLong": "9007199254740993" })),
        ("double", json!({ "$numberDouble": "0.1" })),
        ("date", json!({ "$date": "2024-02-29T12:30:00.12Z" })),
        ("date", json!({ "$date": { "$numberLong": "1709209800120" } })),
        ("date", json!({ "$date": 1_709_209_800_120_i64 })),
        ("price", json!({ "$numberDecimal": "12.50" })),
        ("uuid", json!({ "$uuid": "5c5c5c5c-5c5c-5c5c-5c5c-5c5c5c5c5c5c" })),
        ("uuid", json!({ "$binary": { "base64": "XFxcXFxcXFxcXFxcXFxcXA==", "subType": "04" } })),
        ("bytes", json!({ "$binary": { "subType": "00", "base64": "/wAB" } })),
    ] {
        let mut value = expected();
        value[name] = extended;
        assert_eq!(json::from_value::<Values>(&value).unwrap(), values(), "{name}");
    }
}

#[test]
fn rare_values_come_back() {
    let binary = Binary { subtype: BinarySubtype::UserDefined(0x80), bytes: vec![1, 2] };
    let rare = [
        Values { double: f64::INFINITY, single: f32::NEG_INFINITY, ..values() },
        Values { double: -0.0, single: f32::MAX, ..values() },
        Values { double: 1e300, single: f32::MIN_POSITIVE, ..values() },
        Values { date: DateTime::MAX, ..values() },
        Values { date: DateTime::MIN, ..values() },
        Values { bytes: binary, ..values() },
        Values { price: "NaN".parse().unwrap(), ..values() },
        Values { price: "-1E+6000".parse().unwrap(), ..values() },
        Values { text: String::new(), letter: '\0', ..values() },
    ];
    for value in rare {
        let text = serde_json::to_string(&Json(&value)).unwrap();
        assert_eq!(json::from_json::<Values>(&text).unwrap(), value, "{text}");
    }
    let written = json::to_json(&Values { double: f64::NAN, date: DateTime::MAX, ..values() }).unwrap();
    assert_eq!(written["double"], "NaN");
    assert_eq!(written["date"], json!({ "$date": { "$numberLong": i64::MAX.to_string() } }));
    assert!(json::from_value::<Values>(&written).unwrap().double.is_nan());
    let unwritable = json::to_json(&Values { large: u64::MAX, ..values() });
    assert!(matches!(unwritable, Err(Error::Encode { .. })), "{unwritable:?}");
}

#[test]
fn large_integers_are_text_by_choice() {
    let options = JsonOptions::new().large_integers_as_text();
    let value = options.to_json(&values()).unwrap();
    assert_eq!(value["long"], "9007199254740993");
    assert_eq!(value["large"], "9223372036854775807");
    assert_eq!([&value["int"], &value["unsigned"]], [&json!(7), &json!(4_294_967_295_u32)]);
    assert_eq!(options.from_value::<Values>(&value).unwrap(), values());
    assert!(json::from_value::<Values>(&value).is_err(), "the default reads numbers");
    let exact = options.to_json(&Values { long: 1 << 53, ..values() }).unwrap();
    assert_eq!(exact["long"], 9_007_199_254_740_992_i64);
}

#[test]
fn collections_and_enums_have_their_form() {
    let body = Body::Text { text: "x".into(), date: None };
    assert_eq!(json::to_json(&body).unwrap(), json!({ "kind": "text", "text": "x", "date": null }));
    let absent = json::from_value::<Body>(&json!({ "text": "x", "kind": "text" })).unwrap();
    assert_eq!(absent, body);
    assert_eq!(json::to_json(&Body::Number { text: 5 }).unwrap(), json!({ "kind": "number", "text": 5 }));
    assert_eq!(json::to_json(&Body::Nothing).unwrap(), json!({ "kind": "nothing" }));
    assert_eq!(
        json::to_json(&Beside::Reference { maker: maker() }).unwrap(),
        json!({ "t": "Reference", "c": { "maker": "cdcdcdcdcdcdcdcdcdcdcdcd" } })
    );
    assert_eq!(json::to_json(&Beside::Nothing).unwrap(), json!({ "t": "Nothing" }));
    for value in [json!({ "t": "Nothing" }), json!({ "c": { "maker": "cdcdcdcdcdcdcdcdcdcdcdcd" }, "t": "Reference" })]
    {
        let read = json::from_value::<Beside>(&value).unwrap();
        assert_eq!(json::to_json(&read).unwrap(), value);
    }
    let owners = [Owner { id: "ada".into() }, Owner { id: "bo".into() }];
    let list = json!([{ "id": "ada" }, { "id": "bo" }]);
    assert_eq!(json::to_json(&owners).unwrap(), list);
    assert_eq!(json::to_json(&owners[..]).unwrap(), list);
    assert_eq!(json::from_value::<Vec<Owner>>(&list).unwrap(), owners);
    assert_eq!(json::to_json(&Some(owners[0].clone())).unwrap(), json!({ "id": "ada" }));
    assert_eq!(json::to_json(&None::<Owner>).unwrap(), Value::Null);
    assert_eq!(json::from_json::<Option<Owner>>("null").unwrap(), None);
    let by_name = HashMap::from([("b".to_owned(), owners[1].clone()), ("a".to_owned(), owners[0].clone())]);
    let written = serde_json::to_string(&Json(&by_name)).unwrap();
    assert_eq!(written, r#"{"a":{"id":"ada"},"b":{"id":"bo"}}"#, "sorted by the keys");
    assert_eq!(json::to_json(&vec![maker()]).unwrap(), json!(["cdcdcdcdcdcdcdcdcdcdcdcd"]));
}

#[test]
fn a_value_of_unknown_form_is_extended_json() {
    let foreign = Foreign {
        id: ObjectId::from_bytes([1; 12]),
        date: DateTime::from_millis(0),
        number: 5,
        large: i64::MAX,
        double: f64::INFINITY,
        bytes: Binary { subtype: BinarySubtype::Generic, bytes: vec![255, 0, 1] },
        inner: vec![BTreeMap::from([("a".to_owned(), Uuid::from_bytes([0x5c; 16]))])],
    };
    let owned = Holder { id: 1, foreign };
    let value = json::to_json(&owned).unwrap();
    let expected = json!({
        "id": 1,
        "foreign": {
            "id": { "$oid": "010101010101010101010101" },
            "date": { "$date": "1970-01-01T00:00:00.000Z" },
            "number": 5,
            "large": i64::MAX,
            "double": { "$numberDouble": "Infinity" },
            "bytes": { "$binary": { "base64": "/wAB", "subType": "00" } },
            "inner": [{ "a": { "$binary": { "base64": "XFxcXFxcXFxcXFxcXFxcXA==", "subType": "04" } } }],
        }
    });
    assert_eq!(value, expected);
    assert_eq!(json::from_value::<Holder>(&value).unwrap(), owned);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "holders")]
struct Holder {
    #[serde(rename = "_id")]
    id: i32,
    #[opaque(max_bytes = 1_000)]
    foreign: Foreign,
}

/// A document that is read from JSON is stored as the same document of a program.
#[tokio::test]
async fn a_value_from_json_is_stored_with_the_types_of_the_struct() {
    let db = database().await;
    let text = r#"{ "name": "Ada", "id": "abababababababababababab" }"#;
    let maker: Maker = json::from_json(text).unwrap();
    Maker::insert(&db, &maker).await.unwrap();
    let stored = db.collection::<Document>("makers").find_one(doc! {}).await.unwrap().unwrap();
    assert_eq!(stored, doc! { "_id": ObjectId::from_bytes([0xab; 12]), "name": "Ada" });
    let read = Maker::get_by_id(&db, maker.id).await.unwrap();
    assert_eq!(serde_json::to_string(&Json(&read)).unwrap(), r#"{"id":"abababababababababababab","name":"Ada"}"#);
    let exported = r#"{ "_id": { "$oid": "abababababababababababab" }, "name": "Ada" }"#;
    assert_eq!(json::from_json::<Maker>(exported).unwrap(), maker);
}
