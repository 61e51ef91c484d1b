//! The command log of each write of a child is the documented one.

use mongodb::bson::doc;
use schema_runtime::prelude::*;
use schema_tests::{
    CommandLog, database_with_log,
    rollups::{Host, LogMsg, host, message},
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
    assert_eq!(sent(&log), ["insert hosts", "distinct logmsg", "update hosts"]);

    let add = ["find hosts", "insert logmsg", "update hosts", "update logmsg"];
    LogMsg::insert(&db, &message(1, 1)).await.unwrap();
    assert_eq!(sent(&log), add);
    // One update for each parent and batch.
    let many: Vec<LogMsg> = (2..300).map(|id| message(id, 1)).collect();
    LogMsg::insert_many(&db, &many).await.unwrap();
    assert_eq!(sent(&log), add);

    // A change of what no parent keeps.
    LogMsg::update_by_id(1).set(LogMsg::F.read, true).run(&db).await.unwrap();
    assert_eq!(sent(&log), ["update logmsg"]);
    LogMsg::update_many(LogMsg::F.id.lt(9)).set(LogMsg::F.read, true).run(&db).await.unwrap();
    assert_eq!(sent(&log), ["update logmsg"]);
    LogMsg::replace(&db, &LogMsg { read: false, ..message(1, 1) }).await.unwrap();
    assert_eq!(sent(&log), ["findAndModify logmsg"]);
    Host::update_by_id(1).set(Host::F.name, "new").run(&db).await.unwrap();
    assert_eq!(sent(&log), ["update hosts"]);

    // Close, claim, totals, subset, write, clear.
    let recompute =
        ["update hosts", "update logmsg", "aggregate logmsg", "find logmsg", "update hosts", "update logmsg"];
    LogMsg::update_by_id(1).set(LogMsg::F.bytes, 7).run(&db).await.unwrap();
    assert_eq!(sent(&log), [&["update logmsg", "distinct logmsg"], &recompute[..]].concat());
    // As it is, in another way, with its parent as it is: two paths are looked at.
    LogMsg::replace(&db, &LogMsg { bytes: 8, ..message(1, 1) }).await.unwrap();
    let expected = [
        &["findAndModify logmsg", "findAndModify logmsg", "distinct logmsg"],
        &recompute[..],
        &["distinct logmsg", "update logmsg", "update logmsg"],
    ];
    assert_eq!(sent(&log), expected.concat());
    LogMsg::update_by_id(1).set(LogMsg::F.host, Ref::new(2)).run(&db).await.unwrap();
    let expected = [
        &["update logmsg", "update logmsg", "distinct logmsg"],
        &recompute[..],
        &["update logmsg", "distinct logmsg"],
        &recompute[..],
    ];
    assert_eq!(sent(&log), expected.concat());
    Host::recompute(&db, &1).await.unwrap();
    assert_eq!(sent(&log), recompute);
}

/// An add is plain operators where they do, and touches the parent once.
#[tokio::test]
async fn an_add_is_one_update() {
    let (db, log) = database_with_log().await;
    db.collection("counters").insert_one(doc! { "_id": 1_i64, "messages": 0_i64, "newest": [] }).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    log.clear();
    LogMsg::insert(&db, &LogMsg { counter: Some(Ref::new(1)), ..message(5, 1) }).await.unwrap();
    let updates = log.named("update");
    let of = |collection: &str| {
        let of = updates.iter().find(|update| update.get_str("update").is_ok_and(|of| of == collection)).unwrap();
        of.get_array("updates").unwrap()[0].as_document().unwrap().clone()
    };
    let plain = of("counters");
    let add = plain.get_document("u").unwrap();
    assert_eq!(add.get_document("$inc").unwrap(), &doc! { "messages": 1_i64 });
    let newest = doc! { "$each": [{ "_id": 5_i64 }], "$sort": { "_id": -1 }, "$slice": 2_i64 };
    assert_eq!(add.get_document("$push").unwrap(), &doc! { "newest": newest });
    let filter = doc! { "_id": { "$eq": 1_i64 }, "_rollup.logmsg_counter": null, "_recompute.logmsg_counter": null };
    assert_eq!(plain.get_document("q").unwrap(), &filter);
    // With an average it is a pipeline.
    assert!(of("hosts").get_array("u").is_ok());
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

/// What every update of a child sets is expensive to hold in its parent.
#[tokio::test]
async fn an_update_of_anything_recomputes_the_latest_update() {
    let (db, log) = database_with_log().await;
    Room::insert(&db, &Room { id: 1, updated: None, latest: None }).await.unwrap();
    let now = DateTime::from_millis(0);
    let reading = |id| Reading { id, room: Ref::new(1), degrees: 20.5, created: now, updated: now };
    Reading::insert_many(&db, &[reading(1), reading(2)]).await.unwrap();
    let before = Room::get_by_id(&db, 1).await.unwrap();
    sent(&log);
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    Reading::update_by_id(1).set(Reading::F.degrees, 21.0).run(&db).await.unwrap();
    let recompute = ["update rooms", "update readings", "aggregate readings", "update rooms", "update readings"];
    assert_eq!(sent(&log), [&["update readings", "distinct readings"], &recompute[..]].concat());
    let after = Room::get_by_id(&db, 1).await.unwrap();
    assert!(after.updated > before.updated, "{:?} {:?}", before.updated, after.updated);
    assert_eq!(after.latest, before.latest);
}
