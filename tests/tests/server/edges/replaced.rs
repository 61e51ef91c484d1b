//! `create`, `save`, `replace` and `upsert`, and the batch forms, do the same for a model with derived data as for any
//! model.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, prelude::*};
use schema_tests::database;

macro_rules! models {
    ($($name:ident $collection:literal { $($more:tt)* })*) => {$(
        #[derive(Model, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
        #[model(collection = $collection)]
        struct $name {
            #[serde(rename = "_id")]
            id: i32,
            name: String,
            #[serde(skip)]
            cached: u32,
            #[serde(skip, default = "nothing")]
            also: Option<String>,
            $($more)*
        }
    )*};
}

fn nothing() -> Option<String> {
    Some("nothing".to_owned())
}

models! {
    Plain "plain" {}
    Derived "derived" {
        #[slug(from = name, max_len = 20)]
        slug: String,
    }
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "kinds")]
#[inverse(comments = Comment::on, on_delete = restrict)]
#[serde(tag = "kind")]
enum Kind {
    Note {
        #[serde(rename = "_id")]
        id: i32,
        name: String,
        #[serde(skip)]
        cached: u32,
    },
    Link {
        #[serde(rename = "_id")]
        id: i32,
        name: String,
        address: String,
    },
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "comments")]
struct Comment {
    #[serde(rename = "_id")]
    id: i32,
    #[relation(one_to_many, parent_ref)]
    on: Ref<Kind>,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone)]
#[model(collection = "timed_plain")]
struct TimedPlain {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
    #[created_at]
    made: DateTime,
    #[version]
    version: i32,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone)]
#[model(collection = "timed_derived")]
struct TimedDerived {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
    #[slug(from = name, max_len = 20)]
    slug: String,
    #[created_at]
    made: DateTime,
    #[version]
    version: i32,
}

async fn raw(db: &Database, collection: &str) -> Document {
    db.collection::<Document>(collection).find_one(doc! { "_id": 1 }).await.unwrap().unwrap()
}

async fn add(db: &Database, collection: &str) {
    let update = doc! { "$set": { "legacy": 1, "more": { "a": 1 } } };
    db.collection::<Document>(collection).update_one(doc! { "_id": 1 }, update).await.unwrap();
}

#[tokio::test]
#[allow(clippy::needless_update, reason = "one of the two models has more fields")]
async fn what_serde_skips_stays_in_the_value_and_what_the_struct_has_not_goes() {
    let db = database().await;
    macro_rules! written {
        ($model:ident, $collection:literal, $stored:expr) => {
            let mut value = $model { id: 1, name: "x".to_owned(), cached: 7, also: None, ..Default::default() };
            $model::create(&db, &mut value).await.unwrap();
            assert_eq!((value.cached, value.also.clone()), (7, None));
            assert_eq!(raw(&db, $collection).await, $stored);
            add(&db, $collection).await;
            (value.cached, value.also) = (8, Some("mine".to_owned()));
            $model::save(&db, &mut value).await.unwrap();
            assert_eq!((value.cached, value.also.as_deref()), (8, Some("mine")));
            assert_eq!(raw(&db, $collection).await, $stored);
            add(&db, $collection).await;
            $model::replace(&db, &value).await.unwrap();
            assert_eq!(raw(&db, $collection).await, $stored);
            add(&db, $collection).await;
            assert!(!$model::upsert(&db, &value).await.unwrap());
            assert_eq!(raw(&db, $collection).await, $stored);
            add(&db, $collection).await;
            $model::delete(&db, &value).await.unwrap();
            let mut new = $model { id: 1, name: "x".to_owned(), cached: 9, also: None, ..Default::default() };
            $model::save(&db, &mut new).await.unwrap();
            assert_eq!((new.cached, new.also.clone()), (9, None));
            assert_eq!(raw(&db, $collection).await, $stored);
            let db = &db;
            schema_runtime::transaction(db, async |db| $model::save(&db, &mut value.clone()).await).await.unwrap();
            assert_eq!(raw(db, $collection).await, $stored);
        };
    }
    written!(Plain, "plain", doc! { "_id": 1, "name": "x" });
    written!(Derived, "derived", doc! { "_id": 1, "name": "x", "slug": "x" });
}

#[tokio::test]
async fn what_serde_skips_in_a_variant_stays() {
    let db = database().await;
    let note = Kind::Note { id: 1, name: "x".to_owned(), cached: 7 };
    let mut value = note.clone();
    Kind::create(&db, &mut value).await.unwrap();
    assert_eq!(value, note);
    add(&db, "kinds").await;
    Kind::save(&db, &mut value).await.unwrap();
    assert_eq!(value, note);
    assert_eq!(raw(&db, "kinds").await, doc! { "_id": 1, "kind": "Note", "name": "x" });
    let mut other = Kind::Link { id: 1, name: "x".to_owned(), address: "a".to_owned() };
    Kind::save(&db, &mut other).await.unwrap();
    assert_eq!(raw(&db, "kinds").await, doc! { "_id": 1, "kind": "Link", "name": "x", "address": "a" });
}

#[tokio::test]
#[allow(clippy::needless_update, reason = "one of the two models has more fields")]
async fn a_time_that_is_not_there_is_given() {
    let db = database().await;
    schema![TimedPlain, TimedDerived].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    macro_rules! written {
        ($model:ident, $collection:literal, $write:expr) => {
            let collection = db.collection::<Document>($collection);
            let before = DateTime::now();
            let mut value =
                $model { id: 1, name: "x".to_owned(), made: DateTime::from_millis(5), version: 3, ..made() };
            collection.delete_many(doc! {}).await.unwrap();
            let old = doc! { "_id": 1, "name": "x", "slug": "x", "version": 3 };
            collection.insert_one(old.clone()).bypass_document_validation(true).await.unwrap();
            $write(&db, &mut value).await;
            let stored = raw(&db, $collection).await;
            let made = *stored.get_datetime("made").unwrap();
            assert!(made >= before, "{stored}");
            assert_eq!(stored.get_i32("version").unwrap(), 4);
            // The stored time is kept.
            value.version = 4;
            $write(&db, &mut value).await;
            assert_eq!(*raw(&db, $collection).await.get_datetime("made").unwrap(), made);
            let mut stale = $model { version: 3, ..value.clone() };
            let conflict = $model::save(&db, &mut stale).await;
            assert!(matches!(conflict, Err(Error::VersionConflict { .. })), "{conflict:?}");
            stale.id = 77;
            assert!(matches!($model::replace(&db, &stale).await, Err(Error::NotFound { .. })));
        };
    }
    trait Made {
        fn made() -> Self;
    }
    impl Made for TimedPlain {
        fn made() -> Self {
            TimedPlain { id: 1, name: String::new(), made: DateTime::MIN, version: 0 }
        }
    }
    impl Made for TimedDerived {
        fn made() -> Self {
            TimedDerived { id: 1, name: String::new(), slug: "x".to_owned(), made: DateTime::MIN, version: 0 }
        }
    }
    fn made<T: Made>() -> T {
        T::made()
    }
    written!(TimedPlain, "timed_plain", async |db, value: &mut TimedPlain| TimedPlain::save(db, value).await.unwrap());
    written!(TimedPlain, "timed_plain", async |db, value: &mut TimedPlain| TimedPlain::replace(db, value)
        .await
        .unwrap());
    let saved = async |db, value: &mut TimedDerived| TimedDerived::save(db, value).await.unwrap();
    written!(TimedDerived, "timed_derived", saved);
    let replaced = async |db, value: &mut TimedDerived| TimedDerived::replace(db, value).await.unwrap();
    written!(TimedDerived, "timed_derived", replaced);
    let upserted = async |db, value: &mut TimedDerived| assert!(!TimedDerived::upsert(db, value).await.unwrap());
    written!(TimedDerived, "timed_derived", upserted);
}

macro_rules! dated {
    ($($name:ident $collection:literal { $($more:tt)* } |$id:ident| { $($value:tt)* })*) => {$(
        #[derive(Model, Serialize, Deserialize, Debug, Clone)]
        #[model(collection = $collection)]
        struct $name {
            #[serde(rename = "_id")]
            id: i32,
            name: String,
            note: Option<String>,
            #[created_at]
            made: DateTime,
            #[updated_at]
            changed: DateTime,
            $($more)*
        }

        impl $name {
            fn with($id: i32) -> Self {
                let made = DateTime::from_millis(5);
                $name { id: $id, name: "x".to_owned(), note: None, made, changed: made, $($value)* }
            }
        }
    )*};
}

dated! {
    DatedPlain "dated_plain" {} |id| {}
    DatedDerived "dated_derived" {
        #[slug(from = name, max_len = 20)]
        slug: String,
    } |id| { slug: format!("x-{id}") }
}

#[tokio::test]
async fn writes_of_many_leave_what_a_write_of_one_leaves() {
    let db = database().await;
    schema![DatedPlain, DatedDerived].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    macro_rules! written {
        ($model:ident, $collection:literal, $($write:expr;)*) => {$(
            let collection = db.collection::<Document>($collection);
            let before = DateTime::now();
            collection.delete_many(doc! {}).await.unwrap();
            // The first two documents have no time, the third document has a time; the fourth document is inserted.
            let old = doc! { "name": "a", "slug": "a", "changed": DateTime::MIN, "legacy": 1, "more": { "a": 1 }, "_own": 1 };
            for id in 1..4 {
                let mut document = old.clone();
                document.insert("_id", id);
                document.insert("slug", format!("x-{id}"));
                match id {
                    1 => {}
                    2 => drop(document.insert("made", mongodb::bson::Bson::Null)),
                    _ => drop(document.insert("made", DateTime::from_millis(7))),
                }
                collection.insert_one(document).bypass_document_validation(true).await.unwrap();
            }
            let values: Vec<$model> = (1..5).map($model::with).collect();
            let write = $write;
            write(&db, values).await;
            for id in 1..4 {
                let stored = collection.find_one(doc! { "_id": id }).await.unwrap().unwrap();
                let names: Vec<&str> = stored.keys().map(String::as_str).filter(|name| !["_own", "slug"].contains(name)).collect();
                let mut names = names;
                names.sort_unstable();
                assert_eq!(names, ["_id", "changed", "made", "name", "note"], "{stored}");
                let made = *stored.get_datetime("made").unwrap();
                assert_eq!(made >= before, id < 3, "{stored}");
                assert_eq!(made == DateTime::from_millis(7), id == 3, "{stored}");
                assert!(stored.get_datetime("changed").unwrap() >= &before && stored.get_datetime("changed").unwrap() >= &made);
            }
        )*};
    }
    macro_rules! both {
        ($model:ident, $collection:literal) => {
            written! { $model, $collection,
                async |db: &Database, values: Vec<$model>| {
                    let bulk = values[..3].iter().fold($model::bulk(), |bulk, value| bulk.replace(value));
                    bulk.execute(db).await.unwrap().complete().unwrap();
                };
                async |db: &Database, values: Vec<$model>| {
                    let bulk = values.iter().fold($model::bulk().unordered(), |bulk, value| bulk.upsert(value));
                    let written = bulk.execute(db).await.unwrap().complete().unwrap();
                    assert_eq!(written.upserted_ids.len(), 1);
                };
                async |db: &Database, values: Vec<$model>| {
                    let upserted = $model::upsert_many(db, values).await.unwrap();
                    assert_eq!((upserted.inserted, upserted.replaced), (1, 3));
                };
                async |db: &Database, values: Vec<$model>| {
                    let values = &values;
                    let written = schema_runtime::transaction(db, async |db| $model::upsert_many(&db, values).await).await;
                    assert_eq!(written.unwrap().replaced, 3);
                };
                async |db: &Database, values: Vec<$model>| {
                    for mut value in values.into_iter().take(3) {
                        $model::save(db, &mut value).await.unwrap();
                    }
                };
            }
        };
    }
    both!(DatedPlain, "dated_plain");
    both!(DatedDerived, "dated_derived");
}

/// A replace in a bulk has the version as its condition: a document with another version stays unchanged.
#[tokio::test]
async fn a_bulk_that_finds_another_version_changes_nothing() {
    let db = database().await;
    let value = TimedDerived { id: 1, name: "x".to_owned(), slug: "x".to_owned(), made: DateTime::MIN, version: 3 };
    for (version, is_there) in [(3, true), (4, false)] {
        db.collection::<Document>("timed_derived").delete_many(doc! {}).await.unwrap();
        let old = doc! { "_id": 1, "name": "a", "slug": "x", "version": version, "legacy": 1 };
        db.collection::<Document>("timed_derived").insert_one(&old).await.unwrap();
        let report = TimedDerived::bulk().replace(&value).execute(&db).await.unwrap();
        assert_eq!(report.complete().is_ok(), is_there);
        let stored = raw(&db, "timed_derived").await;
        assert_eq!(stored == old, !is_there);
        assert_eq!(stored.contains_key("legacy"), !is_there, "{stored}");
        assert_eq!(stored.contains_key("made"), is_there, "{stored}");
    }
}
