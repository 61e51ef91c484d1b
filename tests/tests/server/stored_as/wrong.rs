//! Values that serde writes as another type than declared: each write and each filter is refused before anything is
//! sent, and the check for unit tests finds the value.

use std::collections::BTreeMap;

use mongodb::bson::{Document, doc};
use schema_runtime::{ErrorKind, check_stored, json, prelude::*};
use schema_tests::database;
use serde::{Deserializer, Serializer};

use super::Wrong;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: i64,
    value: Wrong,
    option: Option<Wrong>,
    inner: Inner,
    #[bound(max_items = 3)]
    list: Vec<Wrong>,
    #[bound(max_items = 3)]
    map: BTreeMap<String, Wrong>,
    #[relation(one_to_few, embed, max = 3)]
    several: Vec<Inner>,
    #[history(keep = 3, order = asc(value))]
    past: Vec<Inner>,
    #[stored_as(i32)]
    #[serde(with = "as_sign")]
    sign: i32,
    kind: Kind,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Inner {
    value: Wrong,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Kind {
    Number { at: Wrong },
    Text { at: String },
}

#[derive(Patch, Default)]
#[patch(Thing)]
struct Edit {
    value: Option<Wrong>,
}

/// The functions of serde for a number. A number below zero is written as null.
mod as_sign {
    use super::*;

    pub(super) fn serialize<S: Serializer>(value: &i32, serializer: S) -> Result<S::Ok, S::Error> {
        if *value < 0 { serializer.serialize_none() } else { serializer.serialize_i32(*value) }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
        i32::deserialize(deserializer)
    }
}

const GOOD: Wrong = Wrong(1);
const WRONG: Wrong = Wrong(-1);

fn thing(id: i64) -> Thing {
    Thing {
        id,
        value: GOOD,
        option: None,
        inner: Inner { value: GOOD },
        list: vec![GOOD],
        map: [("a".to_owned(), GOOD)].into(),
        several: vec![],
        past: vec![],
        sign: 1,
        kind: Kind::Text { at: "text".to_owned() },
    }
}

fn refused<T: std::fmt::Debug>(result: Result<T>, at: &str) {
    let error = result.unwrap_err();
    let Error::StoredAs { field, declared, written } = error.cause() else { panic!("{at}: {error:?}") };
    assert_eq!((field.as_str(), *declared, *written), (at, "i32", "string"));
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[tokio::test]
async fn whole_documents() {
    let db = database().await;
    let wrong = || Thing { value: WRONG, ..thing(1) };
    refused(Thing::insert(&db, &wrong()).await, "value");
    refused(Thing::create(&db, &mut wrong()).await, "value");
    refused(Thing::insert_many(&db, [thing(1), wrong()]).await, "value");
    refused(Thing::replace(&db, &wrong()).await, "value");
    refused(Thing::save(&db, &mut wrong()).await, "value");
    refused(Thing::upsert(&db, &wrong()).await, "value");
    refused(Thing::bulk().insert(&wrong()).execute(&db).await.and_then(|report| report.complete()), "value");
    refused(Thing::bulk().replace(&wrong()).execute(&db).await.and_then(|report| report.complete()), "value");
    refused(json::to_json(&wrong()), "value");
    for (wrong, at) in [
        (Thing { option: Some(WRONG), ..thing(1) }, "option"),
        (Thing { inner: Inner { value: WRONG }, ..thing(1) }, "inner.value"),
        (Thing { list: vec![GOOD, WRONG], ..thing(1) }, "list.1"),
        (Thing { map: [("secret".to_owned(), WRONG)].into(), ..thing(1) }, "map.*"),
        (Thing { several: vec![Inner { value: WRONG }], ..thing(1) }, "several.0.value"),
        (Thing { kind: Kind::Number { at: WRONG }, ..thing(1) }, "kind.at"),
    ] {
        refused(check_stored(&wrong), at);
        refused(Thing::insert(&db, &wrong).await, at);
    }
    assert_eq!(db.collection::<Document>("things").count_documents(doc! {}).await.unwrap(), 0);
    Thing::insert(&db, &Thing { kind: Kind::Number { at: GOOD }, ..thing(2) }).await.unwrap();
    Thing::insert(&db, &thing(3)).await.unwrap();
    assert_eq!(Thing::get_by_id(&db, 3).await.unwrap(), thing(3));
}

#[tokio::test]
async fn updates_and_filters() {
    let db = database().await;
    Thing::insert(&db, &thing(1)).await.unwrap();
    let f = Thing::F;
    let update = || Thing::update_by_id(1);
    refused(update().set(f.value, WRONG).execute(&db).await, "value");
    refused(update().set(f.option, Some(WRONG)).execute(&db).await, "option");
    refused(update().set_opt(f.value, Some(WRONG)).execute(&db).await, "value");
    refused(update().min(f.value, WRONG).execute(&db).await, "value");
    refused(update().max(f.value, WRONG).execute(&db).await, "value");
    refused(update().inc(f.value, WRONG).execute(&db).await, "value");
    refused(update().set_on_insert(f.value, WRONG).execute(&db).await, "value");
    refused(update().set(f.inner, &Inner { value: WRONG }).execute(&db).await, "inner.value");
    refused(update().set(f.inner.value, WRONG).execute(&db).await, "inner.value");
    refused(update().push(f.list, WRONG).execute(&db).await, "list");
    refused(update().add_to_set(f.list, WRONG).execute(&db).await, "list");
    refused(update().push(f.several, &Inner { value: WRONG }).execute(&db).await, "several.value");
    refused(update().record(f.past, &Inner { value: WRONG }).execute(&db).await, "past.value");
    refused(update().apply(&Edit { value: Some(WRONG) }).execute(&db).await, "value");
    refused(update().set(f.value, WRONG).fetch_after(&db).await, "value");
    refused(Thing::update_many(Filter::all()).set(f.value, WRONG).execute(&db).await, "value");
    refused(Thing::update_one(f.id.eq(9)).set(f.value, WRONG).upsert().execute(&db).await, "value");
    refused(Thing::find_one_and_update(f.id.eq(1)).set(f.value, WRONG).fetch_after(&db).await, "value");
    refused(Thing::find(f.value.eq(WRONG)).fetch_all(&db).await, "value");
    refused(Thing::find(f.value.is_in([GOOD, WRONG])).fetch_all(&db).await, "value");
    refused(Thing::find(f.value.between(GOOD..WRONG)).fetch_all(&db).await, "value");
    refused(Thing::find(f.list.contains(WRONG)).fetch_all(&db).await, "list");
    refused(Thing::find(f.several.elem_match(|inner| inner.value.eq(WRONG))).fetch_all(&db).await, "value");
    refused(Thing::delete_many(&db, f.value.gt(WRONG)).await, "value");
    let error = update().set(f.sign, -1).execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::StoredAs { declared: "i32", written: "null", .. }), "{error:?}");
    assert_eq!(Thing::get_by_id(&db, 1).await.unwrap(), thing(1));
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "clocks")]
struct Clock {
    #[serde(rename = "_id")]
    id: i64,
    #[stored_as(DateTime)]
    #[serde(with = "as_hours")]
    hours: i64,
}

/// The functions of serde for hours. The reader reads another value than the writer writes.
mod as_hours {
    use super::*;

    pub(super) fn serialize<S: Serializer>(value: &i64, serializer: S) -> Result<S::Ok, S::Error> {
        DateTime::from_millis(value * 3_600_000).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        DateTime::deserialize(deserializer).map(|date| date.timestamp_millis() / 60_000)
    }
}

#[test]
fn a_reader_that_disagrees_with_the_writer() {
    check_stored(&Clock { id: 1, hours: 0 }).unwrap();
    let error = check_stored(&Clock { id: 1, hours: 5 }).unwrap_err();
    assert!(matches!(&error, Error::Decode { path, model: "Clock", .. } if path == "hours"), "{error:?}");
    assert_eq!(
        error.to_string(),
        "a document of `clocks` does not fit `Clock` at `hours`: in the stored form, serde reads a value, and writes the \
         value differently"
    );
}
