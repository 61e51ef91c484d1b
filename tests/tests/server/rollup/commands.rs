//! The command log of each write of a child equals the documented commands.

use schema_runtime::prelude::*;
use schema_tests::{
    CommandLog, database_with_log,
    rollups::{Counter, Host, LogMsg, counter, host, message},
};

fn sent(log: &CommandLog) -> Vec<String> {
    let commands = log.commands().into_iter();
    let commands = commands.map(|(name, command)| format!("{name} {}", command.get_str(&name).unwrap_or_default()));
    let sent = commands.collect();
    log.clear();
    sent
}

#[tokio::test]
async fn each_write_costs_what_is_documented() {
    let (db, log) = database_with_log().await;
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    // The search for pending differences of the hosts runs in the background.
    schema_runtime::finish_writes(&db).await;
    assert_eq!(
        sent(&log),
        ["find schema_deltas", "aggregate logmsg", "insert hosts", "commitTransaction ", "find schema_deltas",]
    );

    // Insert, apply, commit.
    let add = ["insert logmsg", "update hosts", "commitTransaction "];
    LogMsg::insert(&db, &message(1, 1)).await.unwrap();
    assert_eq!(sent(&log), add);
    // A single update for each parent.
    let many: Vec<LogMsg> = (2..300).map(|id| message(id, 1)).collect();
    LogMsg::insert_many(&db, &many).await.unwrap();
    assert_eq!(sent(&log), add);

    // A change of a field that no parent keeps.
    LogMsg::update_by_id(1).set(LogMsg::F.read, true).execute(&db).await.unwrap();
    assert_eq!(sent(&log), ["update logmsg"]);
    LogMsg::update_many(LogMsg::F.id.lt(9)).set(LogMsg::F.read, true).execute(&db).await.unwrap();
    assert_eq!(sent(&log), ["update logmsg"]);
    LogMsg::replace(&db, &LogMsg { read: false, ..message(1, 1) }).await.unwrap();
    assert_eq!(sent(&log), ["findAndModify logmsg"]);
    Host::update_by_id(1).set(Host::F.name, "new").execute(&db).await.unwrap();
    assert_eq!(sent(&log), ["update hosts"]);

    // The write returns the old child. Neither the old nor the new value is the least or the greatest, as the read of
    // the parent shows.
    LogMsg::update_by_id(10).inc(LogMsg::F.bytes, 1).execute(&db).await.unwrap();
    let change = ["findAndModify logmsg", "aggregate hosts", "update hosts", "commitTransaction "];
    assert_eq!(sent(&log), change);
    // An update without a change has nothing to apply.
    LogMsg::update_by_id(10).inc(LogMsg::F.bytes, 0).execute(&db).await.unwrap();
    assert_eq!(sent(&log), ["findAndModify logmsg", "commitTransaction "]);
    // The greatest value is lowered: the command that asks the parent also reads the greatest value of the children, by
    // the index.
    LogMsg::update_by_id(20).set(LogMsg::F.bytes, 7_000).execute(&db).await.unwrap();
    sent(&log);
    LogMsg::update_by_id(20).set(LogMsg::F.bytes, 40).execute(&db).await.unwrap();
    assert_eq!(sent(&log), change);
    // An update of many: a read of the matching documents, and then the same commands in a single transaction.
    LogMsg::update_many(LogMsg::F.id.lt(100)).inc(LogMsg::F.bytes, 1).execute(&db).await.unwrap();
    let many = sent(&log);
    assert_eq!(many[..3], ["find logmsg", "find logmsg", "update logmsg"]);
    assert_eq!(many[many.len() - 2..], ["update hosts", "commitTransaction "]);
    LogMsg::insert(&db, &LogMsg { counter: None, bytes: 38, ..message(0, 1) }).await.unwrap();
    sent(&log);
    LogMsg::delete_by_id(&db, 0).await.unwrap();
    assert_eq!(sent(&log), ["findAndModify logmsg", "aggregate hosts", "update hosts", "commitTransaction "]);
}

/// An insert is a single update of the parent, whatever the parent keeps.
#[tokio::test]
async fn an_add_is_one_update() {
    let (db, log) = database_with_log().await;
    Counter::insert(&db, &counter(1)).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    log.clear();
    LogMsg::insert(&db, &LogMsg { counter: Some(Ref::new(1)), ..message(5, 1) }).await.unwrap();
    let updates = log.named("update");
    let of = |collection: &str| {
        updates.iter().filter(|update| update.get_str("update").is_ok_and(|of| of == collection)).count()
    };
    assert_eq!((of("counters"), of("hosts")), (1, 1));
    assert_eq!(Counter::get_by_id(&db, 1).await.unwrap().messages, 1);
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "rooms")]
struct Room {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(max(Reading::room, updated))]
    updated: Option<DateTime>,
    #[computed(max(Reading::room, created))]
    latest: Option<DateTime>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings")]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    room: Ref<Room>,
    degrees: f64,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
}

/// The latest update of any child costs the same as a change: the new time is later than the old time.
#[tokio::test]
async fn an_update_of_anything_keeps_the_latest_update() {
    let (db, log) = database_with_log().await;
    Room::insert(&db, &Room { id: 1, updated: None, latest: None }).await.unwrap();
    let now = DateTime::from_millis(0);
    let reading = |id| Reading { id, room: Ref::new(1), degrees: 20.5, created: now, updated: now };
    Reading::insert_many(&db, &[reading(1), reading(2)]).await.unwrap();
    let before = Room::get_by_id(&db, 1).await.unwrap();
    sent(&log);
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    Reading::update_by_id(1).set(Reading::F.degrees, 21.0).execute(&db).await.unwrap();
    let change = ["findAndModify readings", "aggregate rooms", "update rooms", "commitTransaction "];
    assert_eq!(sent(&log), change);
    let after = Room::get_by_id(&db, 1).await.unwrap();
    assert!(after.updated > before.updated, "{:?} {:?}", before.updated, after.updated);
    assert_eq!(after.latest, before.latest);
}
