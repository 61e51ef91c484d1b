//! Raw values that are stored by nobody: too deep, too large, with names that serde reads as another value.

use schema_tests::{database, database_with_log};

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "bags")]
struct Bag {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_bytes = 16_000_000)]
    value: Bson,
    #[bound(max_bytes = 4_000)]
    json: serde_json::Value,
}

fn bag(value: impl Into<Bson>) -> Bag {
    Bag { id: 1, value: value.into(), json: serde_json::Value::Null }
}

/// Returns a value of this many levels.
fn nested(levels: usize) -> Bson {
    (0..levels).fold(Bson::Int32(1), |inner, at| match at % 2 {
        0 => Bson::Array(vec![inner]),
        _ => doc! { "a": inner }.into(),
    })
}

#[tokio::test]
async fn each_is_a_typed_error_before_a_command() {
    let (db, log) = database_with_log().await;
    let values: Vec<Bson> = vec![
        nested(100),
        nested(150),
        doc! { "$oid": "abababababababababababab" }.into(),
        doc! { "a": [{ "b": { "$date": 5 } }] }.into(),
        doc! { "$gt": 5 }.into(),
        doc! { "a\0b": 5 }.into(),
        doc! { "a": { "\0": 5 } }.into(),
    ];
    for value in values {
        log.clear();
        let value = bag(value);
        for error in [
            Bag::insert(&db, &value).await.unwrap_err(),
            Bag::replace(&db, &value).await.unwrap_err(),
            Bag::update_by_id(1).set(Bag::F.value, &value.value).execute(&db).await.unwrap_err(),
            Bag::update_by_id(1).set(Bag::F.value.at_path("x"), &value.value).execute(&db).await.unwrap_err(),
            Bag::find(Bag::F.value.eq(&value.value)).fetch_all(&db).await.unwrap_err(),
        ] {
            assert!(matches!(error, Error::Encode { .. }), "{error:?}");
        }
        assert_eq!(log.commands().len(), 0);
    }
    let large = bag("a".repeat(17 << 20));
    assert!(matches!(Bag::insert(&db, &large).await, Err(Error::BoundExceeded { bound: 16_000_000, .. })));
    let json = Bag { json: serde_json::json!({ "a": u64::MAX }), ..bag(1) };
    assert!(matches!(Bag::insert(&db, &json).await, Err(Error::Encode { .. })));
}

#[tokio::test]
async fn values_of_99_levels_and_of_every_type_come_back() {
    let db = database().await;
    applied(schema![Bag], &db).await;
    let reference = doc! { "$ref": "posts", "$id": ObjectId::new(), "$db": "blog" };
    for value in [nested(99), Bson::Null, Bson::MaxKey, reference.into(), doc! { "": 1, "a.b": 2 }.into()] {
        Bag::save(&db, &mut bag(value.clone())).await.unwrap();
        assert_eq!(Bag::get_by_id(&db, 1).await.unwrap().value, value);
        assert_eq!(stored(&db, "bags", 1).await.get("value"), Some(&value));
    }
    let json = serde_json::json!({ "a": [1, 2.5, null, "x", { "b": true }], "c": -9_000_000_000_i64 });
    Bag::save(&db, &mut Bag { json: json.clone(), ..bag(1) }).await.unwrap();
    assert_eq!(Bag::get_by_id(&db, 1).await.unwrap().json, json);
    let found = Bag::find(Bag::F.json.at_path("a.4.b").eq(true)).fetch_one(&db).await.unwrap();
    assert_eq!(found.json, json);
    Bag::update_by_id(1).set(Bag::F.json.at_path("c"), serde_json::json!([1])).execute(&db).await.unwrap();
    assert_eq!(Bag::get_by_id(&db, 1).await.unwrap().json["c"], serde_json::json!([1]));
}

#[tokio::test]
async fn a_stored_value_that_serde_would_read_as_another_value_is_an_error() {
    let db = database().await;
    let value = doc! { "_id": 1_i64, "value": { "a": { "$oid": "abababababababababababab" } }, "json": Bson::Null };
    raw(&db, "bags").insert_one(value).await.unwrap();
    let Err(Error::Decode { path, .. }) = Bag::get_by_id(&db, 1).await else { panic!("the value is read") };
    assert_eq!(path, "value");
}
