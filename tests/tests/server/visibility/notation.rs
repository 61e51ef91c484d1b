//! Values in the notation of the shell: random documents, and documents that JavaScript could change, are stored by the
//! real shell as by this crate.

use std::collections::BTreeMap;

use mongodb::bson::{
    Binary, Bson, DateTime, Decimal128, Document, JavaScriptCodeWithScope, Timestamp, doc, oid::ObjectId,
    spec::BinarySubtype,
};
use proptest::{
    collection::vec,
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRng, TestRunner},
};
use schema_runtime::{Model, operation::Operations, preview};
use schema_tests::database;
use serde::{Deserialize, Serialize};

use super::lines::HOSTILE;
use crate::mongosh::commands_of_shell;

/// The number of random documents.
const DOCUMENTS: usize = 300;

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "values")]
struct Value {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_bytes = 1_000_000)]
    value: Bson,
}

fn scalar() -> impl Strategy<Value = Bson> {
    let text = prop_oneof![any::<String>(), proptest::sample::select(HOSTILE.map(str::to_owned).to_vec())];
    prop_oneof![
        Just(Bson::Null),
        Just(Bson::MinKey),
        Just(Bson::MaxKey),
        any::<bool>().prop_map(Bson::from),
        any::<i32>().prop_map(Bson::from),
        any::<i64>().prop_map(Bson::from),
        any::<f64>().prop_filter("a NaN has many forms", |number| !number.is_nan()).prop_map(Bson::from),
        any::<i32>().prop_map(|number| Bson::from(f64::from(number))),
        text.prop_map(Bson::from),
        any::<[u8; 12]>().prop_map(|bytes| Bson::from(ObjectId::from_bytes(bytes))),
        (-8_640_000_000_000_000_i64..=8_640_000_000_000_000).prop_map(|date| DateTime::from_millis(date).into()),
        (-62_200_000_000_000_i64..=253_500_000_000_000).prop_map(|date| DateTime::from_millis(date).into()),
        (any::<i64>(), 0..2_000_i32).prop_map(|(number, exponent)| {
            Bson::from(format!("{number}E{}", exponent - 1_000).parse::<Decimal128>().expect("a decimal"))
        }),
        (any::<u32>(), any::<u32>()).prop_map(|(time, increment)| Timestamp { time, increment }.into()),
        (prop_oneof![Just(0), Just(5), Just(128), Just(255)], vec(any::<u8>(), 0..20))
            .prop_map(|(subtype, bytes)| Binary { subtype: BinarySubtype::from(subtype), bytes }.into()),
        any::<[u8; 16]>().prop_map(|bytes| Binary { subtype: BinarySubtype::Uuid, bytes: bytes.to_vec() }.into()),
        any::<String>().prop_map(Bson::JavaScriptCode),
        any::<String>().prop_map(Bson::Symbol),
        (any::<String>(), any::<i32>()).prop_map(|(code, one)| JavaScriptCodeWithScope {
            code,
            scope: doc! { "one": one }
        }
        .into()),
    ]
}

fn name() -> impl Strategy<Value = String> {
    let special = [
        "__proto__",
        "_bsontype",
        "constructor",
        "toBSON",
        "then",
        "a.b",
        "",
        "0",
        "1",
        "10",
        "01",
        "-1",
        "4294967295",
    ];
    prop_oneof![
        "[a-z_][a-z0-9_$]{0,5}",
        proptest::sample::select(special.map(str::to_owned).to_vec()),
        any::<String>().prop_map(|name| name.replace(['\0', '$'], "")),
    ]
}

fn value() -> impl Strategy<Value = Bson> {
    scalar().prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Bson::from),
            vec((name(), inner), 0..5).prop_map(|fields| Bson::from(fields.into_iter().collect::<Document>())),
        ]
    })
}

/// Values that JavaScript or the shell would change.
fn chosen() -> Vec<Bson> {
    let mut all: Vec<Bson> = HOSTILE.map(Bson::from).to_vec();
    all.extend(
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, 1.0, 1e15, 1e300, 5e-324, 2_f64.powi(53)]
            .map(Bson::from),
    );
    all.extend([i64::MIN, i64::MAX, 0].map(Bson::from));
    all.extend(["NaN", "-Infinity", "0E-6176", "1.000"].map(|text| Bson::from(text.parse::<Decimal128>().unwrap())));
    all.extend(
        [0, -1, 253_402_300_799_999, 253_402_300_800_000, -62_167_219_200_000, -62_167_219_200_001, 500]
            .map(|date| DateTime::from_millis(date).into()),
    );
    all.extend([
        doc! { "b": 1, "1": 2, "0": 3 }.into(),
        doc! { "0": 1, "2": 2, "b": 3 }.into(),
        doc! { "__proto__": { "x": 1 } }.into(),
        doc! { "_bsontype": "ObjectId", "id": "x" }.into(),
        doc! { HOSTILE[0]: HOSTILE[1] }.into(),
    ]);
    all
}

#[tokio::test]
async fn the_shell_stores_the_same_values() {
    let db = database().await;
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(Config::default().rng_algorithm));
    let random = (0..DOCUMENTS).map(|_| value().new_tree(&mut runner).expect("a value").current());
    let values: Vec<Bson> = chosen().into_iter().chain(random).collect();
    let mut lines = Vec::new();
    for (id, value) in (0..).zip(&values) {
        let value = Value { id, value: value.clone() };
        lines.push(preview(Value::insert(&db, &value)).await.unwrap());
    }
    assert!(lines.iter().all(|line| !line.contains(char::is_control)));
    commands_of_shell(&db, &lines).await;
    let stored = db.collection::<Document>("values").find(doc! {}).await.unwrap();
    let stored: Vec<Document> = futures_util::TryStreamExt::try_collect(stored).await.unwrap();
    let stored: BTreeMap<i32, Document> =
        stored.into_iter().map(|document| (document.get_i32("_id").unwrap(), document)).collect();
    assert_eq!(stored.len(), values.len());
    for ((id, value), line) in (0..).zip(&values).zip(&lines) {
        let stored = stored[&id].get("value").unwrap();
        // A NaN is not equal to itself.
        assert_eq!(format!("{stored:?}"), format!("{value:?}"), "{line}");
    }
}
