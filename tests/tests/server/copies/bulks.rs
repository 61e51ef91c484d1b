//! A bulk of different updates sends as many commands for a hundred documents as for ten.

use schema_runtime::{operation::Bulk, prelude::*};
use schema_tests::{CommandLog, database_with_log};

use super::{
    models::{Host, LogMsg, Part, Product},
    repair::{assert_in_sync, schema},
    writes::{part, product, refers},
};

const FEW: i64 = 10;
const MANY: i64 = 100;

/// Makes a hundred sources of each kind; each source has two holders.
async fn begin() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    Part::insert_many(&db, (0..MANY).map(|id| part(id, "old")).collect::<Vec<_>>()).await.unwrap();
    let host = |id| Host { id, name: format!("host {id}"), ipaddr: "10.0.0.1".to_owned() };
    Host::insert_many(&db, (0..MANY).map(host).collect::<Vec<_>>()).await.unwrap();
    let products = (0..MANY).map(|id| product(id, &[id, (id + 1) % MANY]));
    Product::insert_many(&db, products.collect::<Vec<_>>()).await.unwrap();
    let message = |id| LogMsg {
        id,
        host: Ref::new(id % MANY),
        ipaddr: "?".to_owned(),
        time: DateTime::from_millis(id),
        message: "up".to_owned(),
    };
    LogMsg::insert_many(&db, (0..2 * MANY).map(message).collect::<Vec<_>>()).await.unwrap();
    log.clear();
    (db, log)
}

fn names(log: &CommandLog) -> Vec<String> {
    let names = log.commands().into_iter().map(|(name, _)| name).collect();
    log.clear();
    names
}

/// Runs the bulk of ten and of a hundred updates twice, and compares the commands.
async fn assert_same_commands<M: Operations>(update: impl Fn(Bulk<M>, i64, &str) -> Bulk<M>) {
    let (db, log) = begin().await;
    let mut sent = Vec::new();
    for (count, name) in [(FEW, "new"), (MANY, "newer")] {
        let bulk = (0..count).fold(M::bulk(), |bulk, id| update(bulk, id, name));
        let counts = bulk.execute(&db).await.unwrap().complete().unwrap();
        assert_eq!(counts.matched, count as u64);
        sent.push(names(&log));
    }
    assert_eq!(sent[0], sent[1]);
    assert!(sent[1].len() <= 6, "{:?}", sent[1]);
    assert_in_sync(&db).await;
}

#[tokio::test]
async fn of_sources_with_few_holders() {
    assert_same_commands::<Part>(|bulk, id, name| {
        bulk.update(Part::update_by_id(id).set(Part::F.name, format!("{name} {id}")))
    })
    .await;
}

#[tokio::test]
async fn of_sources_with_any_number_of_holders() {
    assert_same_commands::<Host>(|bulk, id, name| {
        bulk.update(Host::update_by_id(id).set(Host::F.ipaddr, format!("{name} {id}")))
    })
    .await;
}

#[tokio::test]
async fn of_references_of_holders() {
    assert_same_commands::<LogMsg>(|bulk, id, name| {
        let to = if name == "new" { id + 1 } else { id + 2 };
        bulk.update(LogMsg::update_by_id(id).set(LogMsg::F.host, Ref::new(to % MANY)))
    })
    .await;
}

#[tokio::test]
async fn of_arrays_of_references() {
    assert_same_commands::<Product>(|bulk, id, name| {
        let to = if name == "new" { id + 5 } else { id + 7 };
        bulk.update(Product::update_by_id(id).set(Product::F.parts, vec![refers(to % MANY)]))
    })
    .await;
}
