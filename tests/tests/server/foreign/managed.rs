//! `#[created_at]`, `#[updated_at]`, `#[version]` and a `ttl` index with each type of a point in time.

use mongodb::bson::{DateTime as Date, Document, doc};
use schema_runtime::{prelude::*, schema};
use schema_tests::database;

use super::raw;

/// The milliseconds of a time in the year 2100: the server deletes no document of a test.
const FAR: i64 = 4_102_444_800_000;

macro_rules! managed {
    ($($name:ident: $type:ty, $finer:expr, $whole:expr;)*) => {$(
        mod $name {
            use super::*;

            type Value = $type;

            #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
            #[model(collection = "notes")]
            struct Note {
                #[serde(rename = "_id")]
                id: i64,
                text: String,
                #[created_at]
                created: Value,
                #[updated_at]
                updated: Value,
                #[version]
                version: i64,
                #[index(ttl = "30d")]
                expires: Value,
                seen: Option<Value>,
            }

            fn note() -> Note {
                // The times of the struct have a part of a millisecond; the crate sets both times.
                let (finer, expires): (Value, Value) = ($finer, $whole);
                Note { id: 1, text: "a".into(), created: finer, updated: finer, version: 0, expires, seen: None }
            }

            fn times(document: &Document) -> [Date; 2] {
                ["created", "updated"].map(|name| *document.get_datetime(name).unwrap())
            }

            #[tokio::test]
            async fn times_of_writes() {
                let db = database().await;
                schema![Note].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
                let before = Date::now();
                let mut note = note();
                Note::create(&db, &mut note).await.unwrap();
                let stored = raw(&db, "notes", 1_i64).await;
                let [created, updated] = times(&stored);
                assert!(before <= created && created == updated && created <= Date::now());
                assert_eq!(Note::get_by_id(&db, 1).await.unwrap(), note);
                assert_eq!(Note::find(Note::F.created.eq(note.created)).count(&db).await.unwrap(), 1);
                assert_eq!(Note::find(Note::F.updated.lt(note.expires)).count(&db).await.unwrap(), 1);

                let past = doc! { "$set": { "created": Date::from_millis(1_000), "updated": Date::from_millis(2_000) } };
                db.collection::<Document>("notes").update_one(doc! { "_id": 1_i64 }, past).await.unwrap();
                note.text = "b".into();
                Note::save(&db, &mut note).await.unwrap();
                let [created, updated] = times(&raw(&db, "notes", 1_i64).await);
                assert_eq!(created, Date::from_millis(1_000));
                assert!(updated >= before);
                assert_eq!(Note::get_by_id(&db, 1).await.unwrap(), note);
                assert_eq!(note.version, 1);

                let update = Note::update_by_id(1).current_date(Note::F.seen).set(Note::F.text, "c");
                update.execute(&db).await.unwrap();
                let read = Note::get_by_id(&db, 1).await.unwrap();
                assert!(read.seen.unwrap() >= note.updated && read.version == 2);
                assert_eq!(read.created, note.created);

                let made = Note::update_one(Note::F.id.eq(2)).set(Note::F.text, "d");
                let made = made.set(Note::F.expires, $whole).upsert();
                made.execute(&db).await.unwrap();
                let read = Note::get_by_id(&db, 2).await.unwrap();
                assert!(read.created >= note.updated && read.created == read.updated);
            }

            #[tokio::test]
            async fn documents_expire() {
                let db = database().await;
                let plan = schema![Note].plan(&db).await.unwrap();
                plan.apply(&db).await.unwrap().complete().unwrap();
                let names = db.collection::<Document>("notes").list_index_names().await.unwrap();
                assert!(names.iter().any(|name| name.starts_with("expires")), "{names:?}");
                assert!(schema![Note].plan(&db).await.unwrap().is_empty());
            }
        }
    )*};
}

managed! {
    chrono_time: chrono::DateTime<chrono::Utc>,
        chrono::DateTime::from_timestamp_nanos(1_500_001),
        chrono::DateTime::from_timestamp_millis(FAR).unwrap();
    jiff_time: jiff::Timestamp,
        jiff::Timestamp::from_nanosecond(1_500_001).unwrap(),
        jiff::Timestamp::from_millisecond(FAR).unwrap();
    time_of_time: time::OffsetDateTime,
        time::OffsetDateTime::from_unix_timestamp_nanos(1_500_001).unwrap(),
        time::OffsetDateTime::from_unix_timestamp_nanos(i128::from(FAR) * 1_000_000).unwrap();
    system_time: std::time::SystemTime,
        std::time::UNIX_EPOCH + std::time::Duration::from_nanos(1_500_001),
        std::time::UNIX_EPOCH + std::time::Duration::from_millis(FAR as u64);
}
