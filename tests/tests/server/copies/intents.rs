//! An insert of many holders leaves a single intent instead of a mark in each holder.

use std::time::{Duration, SystemTime};

use mongodb::{
    Database,
    bson::{Bson, DateTime, Document, doc, oid::ObjectId},
};
use schema_runtime::{Error, MaintenanceKind, Throttle, prelude::*, transaction};
use schema_tests::{CommandLog, database_with_log};

use super::{
    models::{Host, LogMsg},
    repair::{assert_in_sync, schema, shell},
    writes::raw,
};

fn messages(ids: std::ops::Range<i64>) -> Vec<LogMsg> {
    let message = |id| LogMsg {
        id,
        host: Ref::new(1),
        ipaddr: "?".to_owned(),
        time: DateTime::from_millis(id),
        message: "up".to_owned(),
    };
    ids.map(message).collect()
}

async fn begin() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert(&db, &Host { id: 1, name: "one".to_owned(), ipaddr: "127.0.0.1".to_owned() }).await.unwrap();
    // The first holder gives its source a version.
    LogMsg::insert_many(&db, messages(-2..0)).await.unwrap();
    log.clear();
    (db, log)
}

fn names(log: &CommandLog) -> String {
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    log.clear();
    names.join(" ")
}

async fn intents(db: &Database) -> u64 {
    db.collection::<Document>("schema_intents").count_documents(doc! {}).await.unwrap()
}

#[tokio::test]
async fn many_are_not_written_twice() {
    let (db, log) = begin().await;
    LogMsg::insert_many(&db, messages(0..49)).await.unwrap();
    assert_eq!(names(&log), "find insert find update");
    LogMsg::insert_many(&db, messages(100..150)).await.unwrap();
    assert_eq!(names(&log), "find insert insert find delete");
    let stored = raw(&db, "logmsg", 100).await;
    assert_eq!(stored.get_str("ipaddr").unwrap(), "127.0.0.1");
    assert!(
        !stored.keys().any(|name| name.starts_with("_look")) && stored.get_timestamp("_v_host").is_ok(),
        "{stored}"
    );
    log.clear();
    LogMsg::insert_many(&db, messages(1_000..21_001)).await.unwrap();
    assert_eq!(names(&log), "find insert insert insert insert find delete", "an intent names at most 10,000");
    assert_eq!(intents(&db).await, 0);
    assert_in_sync(&db).await;
}

/// In a transaction and in a bulk, the insert writes a mark, like an insert of few holders.
#[tokio::test]
async fn beside_other_writes_it_is_a_mark() {
    let (db, log) = begin().await;
    transaction(&db, |tx| async move { LogMsg::insert_many(&tx, messages(0..60)).await }).await.unwrap();
    assert_eq!(names(&log), "find insert commitTransaction find update");
    assert_eq!(intents(&db).await, 0);
    assert_in_sync(&db).await;
}

/// The holders before the refused holder are checked, and no intent is left.
#[tokio::test]
async fn an_insert_that_is_refused_on_its_way() {
    let (db, _) = begin().await;
    LogMsg::insert_many(&db, messages(30..32)).await.unwrap();
    let error = LogMsg::insert_many(&db, messages(0..60)).await.unwrap_err();
    assert!(matches!(error, Error::InsertMany { inserted: 30, index: Some(30), .. }), "{error}");
    assert_eq!(intents(&db).await, 0);
    assert_in_sync(&db).await;
}

/// Writes the documents of a client that stopped after its insert. The source has changed since.
async fn stopped(db: &Database, id: ObjectId, ids: std::ops::Range<i64>, there: std::ops::Range<i64>) {
    let old = raw(db, "hosts", 1).await.get_timestamp("_v").unwrap();
    Host::update_by_id(1).set(Host::F.ipaddr, format!("127.0.0.{}", ids.start)).execute(db).await.unwrap();
    let intent = doc! { "_id": id, "holder": "logmsg", "paths": ["logmsg_host"], "ids": ids.map(Bson::from).collect::<Vec<_>>() };
    db.collection::<Document>("schema_intents").insert_one(intent).await.unwrap();
    let holder = |id: i64| {
        doc! {
            "_id": id, "host": 1_i64, "ipaddr": "127.0.0.1", "time": DateTime::from_millis(id), "message": "", "_v_host": old,
        }
    };
    db.collection::<Document>("logmsg").insert_many(there.map(holder)).await.unwrap();
}

#[tokio::test]
async fn recover_looks_at_what_a_stopped_client_has_inserted() {
    let (db, _) = begin().await;
    stopped(&db, ObjectId::new(), 100..160, 100..160).await;
    // The copy is pending, and no error.
    let report = schema().verify(&db).await.unwrap();
    assert!(super::repair::stale(&report).is_empty(), "{report}");
    let pending = &report.pending()[0];
    assert_eq!((pending.kind, pending.found), (MaintenanceKind::PendingHolder, 60), "{report}");
    assert_eq!(super::repair::copies(&schema().repair(&db, &Throttle::new()).await.unwrap()), 0);
    let recovered = schema().recover(&db, &Throttle::new()).await.unwrap().to_string();
    assert!(recovered.contains("LogMsg.host: 60 holders to check again, 60 documents written"), "{recovered}");
    assert_eq!(raw(&db, "logmsg", 159).await.get_str("ipaddr").unwrap(), "127.0.0.100");
    assert_eq!(intents(&db).await, 0);
    assert_in_sync(&db).await;
}

/// Some holders may still be missing: the inserting client may be slow, and stop after its insert.
#[tokio::test]
async fn an_intent_whose_holders_are_not_all_there_stays_for_a_day() {
    let (db, _) = begin().await;
    stopped(&db, ObjectId::new(), 100..160, 100..130).await;
    schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(raw(&db, "logmsg", 129).await.get_str("ipaddr").unwrap(), "127.0.0.100");
    assert_eq!(intents(&db).await, 1);
    let left = db.collection::<Document>("schema_intents").find_one(doc! {}).await.unwrap().unwrap();
    let left: Vec<i64> = left.get_array("ids").unwrap().iter().filter_map(Bson::as_i64).collect();
    assert_eq!(left, (130..160).collect::<Vec<i64>>(), "those that are there were looked at");
    let late = raw(&db, "logmsg", 129).await;
    let late = (130..160_i64).map(|id| {
        let mut holder = late.clone();
        holder.insert("_id", id);
        holder
    });
    db.collection::<Document>("logmsg").insert_many(late).await.unwrap();
    Host::update_by_id(1).set(Host::F.ipaddr, "127.0.0.9").execute(&db).await.unwrap();
    schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(intents(&db).await, 0);
    // After a day, nobody inserts the missing holders any more.
    stopped(&db, aged(25), 200..260, 200..230).await;
    schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(intents(&db).await, 0);
    assert_in_sync(&db).await;
}

/// Another version of the application may have copies in places that this version does not know: the recover of that
/// version checks these places.
#[tokio::test]
async fn an_intent_of_a_place_that_is_not_known_stays() {
    let (db, _) = begin().await;
    stopped(&db, ObjectId::new(), 100..160, 100..160).await;
    let intents = db.collection::<Document>("schema_intents");
    let both = doc! { "$set": { "paths": ["logmsg_host", "logmsg_editor"] } };
    intents.update_one(doc! {}, both).await.unwrap();
    schema().recover(&db, &Throttle::new()).await.unwrap();
    let left = intents.find_one(doc! {}).await.unwrap().expect("it stays");
    assert_eq!(left.get_array("paths").unwrap(), &vec![Bson::from("logmsg_editor")]);
    assert_eq!(left.get_array("ids").unwrap().len(), 60);
    assert_eq!(raw(&db, "logmsg", 159).await.get_str("ipaddr").unwrap(), "127.0.0.100");
    // A copy in a known place is no longer pending.
    shell(&db, "logmsg", 150, doc! { "$set": { "ipaddr": "raw" } }).await;
    assert_eq!(super::repair::copies(&schema().repair(&db, &Throttle::new()).await.unwrap()), 1);
    // After a week, no such version exists any more.
    let mut old = left.clone();
    old.insert("_id", aged(8 * 24));
    intents.insert_one(old).await.unwrap();
    schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(intents.count_documents(doc! {}).await.unwrap(), 1);
}

/// Returns an id that was made this number of hours ago.
fn aged(hours: u64) -> ObjectId {
    let long_ago = SystemTime::now() - Duration::from_secs(hours * 60 * 60);
    let seconds = long_ago.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() as u32;
    let mut bytes = ObjectId::new().bytes();
    bytes[..4].copy_from_slice(&seconds.to_be_bytes());
    ObjectId::from_bytes(bytes)
}

/// An insert writes neither the intent nor the holders.
#[tokio::test]
async fn an_intent_that_cannot_be_written() {
    let (db, _) = begin().await;
    let data = doc! { "failCommands": ["insert"], "errorCode": 13 };
    let fail = schema_tests::fail_command(&db, doc! { "times": 1 }, data).await;
    LogMsg::insert_many(&db, messages(0..60)).await.unwrap_err();
    fail.clear().await;
    assert_eq!(intents(&db).await, 0);
    assert_eq!(db.collection::<Document>("logmsg").count_documents(doc! { "_id": { "$gte": 0 } }).await.unwrap(), 0);
}
