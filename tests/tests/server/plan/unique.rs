//! A unique index over an optional field accepts any number of nulls and each value once, and serves `eq` and `is_in`,
//! for every type of the field.

use mongodb::bson::{Binary, Bson, Timestamp, doc, spec::BinarySubtype};
use schema_runtime::{
    definition::{FieldDefinition, Kind, Scalar, Shape},
    prelude::*,
};
use schema_tests::database;

use super::*;

#[derive(Model, Serialize, Deserialize, Default)]
#[model(collection = "things")]
#[index(one.address, unique)]
struct Thing {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique)]
    text: Option<String>,
    #[index(unique)]
    letter: Option<char>,
    #[index(unique)]
    integer: Option<i64>,
    #[index(unique)]
    small: Option<u8>,
    #[index(unique)]
    double: Option<f64>,
    #[index(unique)]
    decimal: Option<Decimal128>,
    #[index(unique)]
    date: Option<DateTime>,
    #[index(unique)]
    object_id: Option<ObjectId>,
    #[index(unique)]
    boolean: Option<bool>,
    #[index(unique)]
    binary: Option<Binary>,
    #[index(unique)]
    uuid: Option<Uuid>,
    #[index(unique)]
    timestamp: Option<Timestamp>,
    #[index(unique)]
    kind: Option<Kinds>,
    #[relation(one_to_one, embed)]
    one: Option<Nested>,
}

#[derive(Embed, Serialize, Deserialize)]
enum Kinds {
    Big,
    Tiny,
}

#[derive(Embed, Serialize, Deserialize, Default)]
struct Nested {
    address: Option<String>,
}

/// Returns the values of a type that are most likely to be missing in an index, and a value in the middle.
fn values(field: &FieldDefinition) -> Vec<Bson> {
    let binary = |subtype, bytes: &[u8]| Bson::Binary(Binary { subtype, bytes: bytes.to_vec() });
    match field.shape.kind {
        Kind::String { max_len: Some(1) } => vec![Bson::from("x"), Bson::from("é")],
        Kind::String { .. } => vec![Bson::from(""), Bson::from("\0"), Bson::from("é")],
        Kind::Enum(names) => names.iter().map(|name| Bson::from(*name)).collect(),
        Kind::Scalar(scalar) => match scalar {
            Scalar::Integer => {
                let integer = field.shape.integer.expect("every integer type of Rust has its range");
                vec![Bson::Int64(integer.least), Bson::Int32(1), Bson::Int64(integer.greatest)]
            }
            Scalar::Double => [f64::NEG_INFINITY, f64::MIN, -0.5, 0.0, f64::INFINITY].map(Bson::Double).to_vec(),
            Scalar::Single => {
                [f32::NEG_INFINITY, f32::MIN, 0.0, f32::INFINITY].map(|one| Bson::Double(one.into())).to_vec()
            }
            Scalar::Decimal128 => ["-Infinity", "-9.99E+6144", "1.5", "Infinity"]
                .map(|text| Bson::Decimal128(text.parse().expect("a decimal")))
                .to_vec(),
            Scalar::DateTime => [DateTime::MIN, DateTime::from_millis(-1), DateTime::MAX].map(Bson::DateTime).to_vec(),
            Scalar::ObjectId => {
                [[0; 12], [7; 12], [255; 12]].map(|id| Bson::ObjectId(ObjectId::from_bytes(id))).to_vec()
            }
            Scalar::Bool => vec![Bson::Boolean(false), Bson::Boolean(true)],
            Scalar::Binary => vec![
                binary(BinarySubtype::Generic, b""),
                binary(BinarySubtype::Md5, b""),
                binary(BinarySubtype::Generic, b"abc"),
                binary(BinarySubtype::UserDefined(255), b"\xff\xff"),
            ],
            Scalar::Uuid => [[0; 16], [9; 16]].map(|id| Bson::Binary(Uuid::from_bytes(id).into())).to_vec(),
            Scalar::Timestamp => [(0, 1), (1, 0), (u32::MAX, u32::MAX)]
                .map(|(time, increment)| Bson::Timestamp(Timestamp { time, increment }))
                .to_vec(),
        },
        other => panic!("{other:?} has no values here"),
    }
}

/// Returns the stage that finds the documents.
async fn stage(db: &Database, filter: Document) -> String {
    let explained =
        db.run_command(doc! { "explain": { "find": "things", "filter": filter } }).await.expect("explained");
    let plan = explained.get_document("queryPlanner").and_then(|planner| planner.get_document("winningPlan"));
    let plan = plan.expect("a plan");
    let plan = plan.get_document("queryPlan").unwrap_or(plan);
    plan.get_document("inputStage").unwrap_or(plan).get_str("stage").expect("a stage").to_owned()
}

#[tokio::test]
async fn nulls_are_many_values_are_one_and_reads_use_the_index() {
    let db = database().await;
    applied(schema![Thing], &db).await;
    is_settled(schema![Thing], &db).await;
    let things = raw(&db, "things");
    // Documents as serde writes the struct, with every field null, and documents without any of the fields.
    for id in [1, 2] {
        db.collection::<Thing>("things")
            .insert_one(Thing { id, ..Thing::default() })
            .await
            .expect("a null is no value");
    }
    for id in [3, 4] {
        things.insert_one(doc! { "_id": id }).await.expect("nor is nothing");
    }
    for (id, one) in [(5, doc! {}), (6, doc! { "address": null }), (7, doc! { "address": null })] {
        things.insert_one(doc! { "_id": id, "one": one }).await.expect("nor inside a struct");
    }
    let mut cases: Vec<(String, Bson)> = Vec::new();
    for field in Thing::DEFINITION.fields {
        match field.shape {
            Shape { nullable: true, kind: Kind::Document { .. }, .. } => {
                cases.push(("one.address".to_owned(), Bson::from("somewhere")));
            }
            Shape { nullable: true, .. } => {
                cases.extend(values(field).into_iter().map(|value| (field.name.to_owned(), value)));
            }
            _ => {}
        }
    }
    assert!(cases.len() > 30);
    let mut id = 100;
    for (path, value) in cases {
        let document = |id: i64| match path.split_once('.') {
            Some((outer, inner)) => doc! { "_id": id, outer: { inner: value.clone() } },
            None => doc! { "_id": id, &path: value.clone() },
        };
        id += 2;
        things.insert_one(document(id)).await.unwrap_or_else(|error| panic!("{path} {value:?}: {error}"));
        let error = things.insert_one(document(id + 1)).await.expect_err(&format!("{path}: {value:?} twice"));
        assert!(error.to_string().contains("E11000"), "{path} {value:?}: {error}");
        for filter in [
            doc! { &path: value.clone() },
            doc! { &path: { "$eq": value.clone() } },
            doc! { &path: { "$in": [value.clone()] } },
        ] {
            assert_eq!(stage(&db, filter.clone()).await, "IXSCAN", "{path}: {value:?}");
            let found = things.find_one(filter).await.expect("found").expect("found");
            assert_eq!(found.get_i64("_id").ok(), Some(id), "{path}: {value:?}");
        }
    }
}

/// The only gap: NaN is below every number, and the index does not contain NaN.
#[tokio::test]
async fn of_numbers_only_nan_may_be_there_twice() {
    let db = database().await;
    applied(schema![Thing], &db).await;
    for id in [1, 2] {
        raw(&db, "things").insert_one(doc! { "_id": id, "double": f64::NAN }).await.expect("NaN is left out");
    }
}
