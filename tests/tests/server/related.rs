//! Conditions on related documents: `some`, `every` and `none`, for each kind of relation.

mod kinds;
mod random;

use schema_runtime::prelude::*;
use schema_tests::database_with_log;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "hosts")]
#[inverse(logmsgs = LogMsg::host)]
#[inverse(racks = Rack::hosts)]
#[index(zone, number, id)]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    zone: i32,
    number: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    level: Option<i32>,
    text: String,
}

/// A rack refers to hosts by an array.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "racks")]
struct Rack {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, child_refs, max = 20, inverse = racks)]
    hosts: Vec<Ref<Host>>,
}

fn host(id: i64) -> Host {
    Host { id, zone: (id % 3) as i32, number: 100 - id }
}

fn message(id: i64, host: i64, level: Option<i32>) -> LogMsg {
    LogMsg { id, host: Ref::new(host), level, text: format!("message {id}") }
}

/// Inserts six hosts: 1 has the levels 1 and 5, 2 has 5, 3 has a null and 5, 4 has a null, 5 has 1, and 6 has no
/// message.
async fn fill(db: &Database) {
    schema![Host, LogMsg, Rack].plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    Host::insert_many(db, (1..=6).map(host)).await.unwrap();
    let levels = [(1, Some(1)), (1, Some(5)), (2, Some(5)), (3, None), (3, Some(5)), (4, None), (5, Some(1))];
    let messages = (1..).zip(levels).map(|(id, (host, level))| message(id, host, level));
    LogMsg::insert_many(db, messages).await.unwrap();
    let rack = |id: i64, hosts: &[i64]| Rack { id, hosts: hosts.iter().map(|id| Ref::new(*id)).collect() };
    Rack::insert_many(db, [rack(1, &[1, 2]), rack(2, &[2]), rack(3, &[]), rack(4, &[9])]).await.unwrap();
}

#[tokio::test]
async fn the_read_is_one_command_with_a_limited_lookup() {
    let (db, log) = database_with_log().await;
    fill(&db).await;
    log.clear();
    let loud = Host::find(Host::F.zone.lt(2)).having(Host::LOGMSGS.some(LogMsg::F.level.gte(5))).sort(Host::F.id.asc());
    let ids: Vec<i64> = loud.clone().fetch_all(&db).await.unwrap().iter().map(|host| host.id).collect();
    assert_eq!(ids, [1, 3]);
    let sent = log.commands();
    assert_eq!((sent.len(), sent[0].0.as_str()), (1, "aggregate"), "{sent:?}");
    let stages = sent[0].1.get_array("pipeline").unwrap();
    let names: Vec<&str> =
        stages.iter().map(|stage| stage.as_document().unwrap().keys().next().unwrap().as_str()).collect();
    assert_eq!(names, ["$match", "$sort", "$lookup", "$match", "$unset"]);
    let lookup = stages[2].as_document().unwrap().get_document("$lookup").unwrap();
    assert_eq!((lookup.get_str("localField").ok(), lookup.get_str("foreignField").ok()), (Some("_id"), Some("host")));
    assert_eq!(lookup.get_array("pipeline").unwrap()[1].as_document(), Some(&doc! { "$limit": 1 }));
}

#[tokio::test]
async fn every_form_of_a_read_has_the_condition() {
    let (db, log) = database_with_log().await;
    fill(&db).await;
    let loud = || Host::find(Filter::all()).having(Host::LOGMSGS.some(LogMsg::F.level.gte(5)));
    assert_eq!(loud().count(&db).await.unwrap(), 3);
    assert_eq!(loud().skip(1).limit(1).count(&db).await.unwrap(), 1);
    assert!(loud().exists(&db).await.unwrap());
    assert!(!loud().filter(Host::F.id.gt(3)).exists(&db).await.unwrap());
    let mut zones = loud().distinct(&db, Host::F.zone).await.unwrap();
    zones.sort_unstable();
    assert_eq!(zones, [0, 1, 2]);
    let mut streamed = 0;
    let mut hosts = loud().stream(&db).await.unwrap();
    while let Some(host) = hosts.next().await {
        host.unwrap();
        streamed += 1;
    }
    assert_eq!(streamed, 3);
    assert_eq!(loud().sample(2).fetch_all(&db).await.unwrap().len(), 2);
    let rows = Host::LOGMSGS.lookup(loud().sort(Host::F.id.asc())).fetch_all(&db).await.unwrap();
    assert_eq!(rows.len(), 3);
    let inside = schema_runtime::transaction(&db, |tx| async move { loud().count(&tx).await }).await;
    assert_eq!(inside.unwrap(), 3);

    // Pages by key: forward, backward, and a token that belongs to this condition alone.
    let pages = || loud().sort(Host::F.number.asc()).paginate(2);
    let first = pages().fetch(&db).await.unwrap();
    let second = pages().after(&first.next).fetch(&db).await.unwrap();
    let ids = |page: &schema_runtime::Page<Vec<Host>>| page.iter().map(|host| host.id).collect::<Vec<i64>>();
    assert_eq!((ids(&first), ids(&second)), (vec![3, 2], vec![1]));
    assert_eq!(ids(&pages().before(&second.previous).fetch(&db).await.unwrap()), [3, 2]);
    let other = Host::find(Filter::all()).having(Host::LOGMSGS.some(LogMsg::F.level.gte(4))).sort(Host::F.number.asc());
    assert!(matches!(other.paginate(2).after(&first.next).fetch(&db).await, Err(Error::PageToken { .. })));
    log.clear();
    let near =
        Host::find(Filter::all()).having(Host::LOGMSGS.some(Filter::raw(doc! { "$text": { "$search": "words" } })));
    assert!(matches!(near.fetch_all(&db).await, Err(Error::Query { .. })));
    assert!(log.commands().is_empty());
}

/// The index of the relation serves each look-up; without a match in the filter of the read, every parent is looked at.
#[tokio::test]
async fn the_index_of_the_relation_serves_the_lookups() {
    use schema_runtime::{assert_indexed, check_indexed, explain::ReadProblem};

    let (db, _) = database_with_log().await;
    fill(&db).await;
    Host::insert_many(&db, (10..200).map(|id| Host { zone: 7, ..host(id) })).await.unwrap();
    LogMsg::insert_many(&db, (10..200).map(|id| message(id, id, Some(9)))).await.unwrap();
    let zone = Host::find(Host::F.zone.eq(7)).having(Host::LOGMSGS.some(LogMsg::F.level.gte(5)));
    assert_indexed(&zone, &db).await;
    // The index gives the order. The server explains a page without the end at the limit.
    let page = zone.clone().sort(Host::F.number.asc()).paginate(20);
    let found = check_indexed(&page, &db).await.unwrap();
    assert!(found.iter().all(|problem| matches!(problem, ReadProblem::Examined { .. })), "{found:?}");
    assert_indexed(&zone.clone().sort(Host::F.number.asc()), &db).await;
    let found = check_indexed(&Host::find(Filter::all()).having(Host::LOGMSGS.none(Filter::all())), &db).await.unwrap();
    assert!(found.iter().any(|problem| matches!(problem, ReadProblem::CollectionScan | ReadProblem::Examined { .. })));
    // The look-up of a large number of messages of one host ends at the first message.
    LogMsg::insert_many(&db, (1_000..3_000).map(|id| message(id, 2, Some(5)))).await.unwrap();
    assert_indexed(&Host::find(Host::F.id.eq(2)).having(Host::LOGMSGS.some(LogMsg::F.level.eq(5))), &db).await;
}
