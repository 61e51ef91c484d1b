//! `cost` reports the commands of a write of a field, and the write sends exactly these commands.

use schema_runtime::{
    cost::{Cost, CostMode},
    prelude::*,
};
use schema_tests::{CommandLog, database_with_log};

use super::{
    models::{Host, LogMsg, Part, Product},
    repair::{schema, three_products},
};

/// Returns the number of commands since the log was cleared; a commit counts as a command.
fn sent(log: &CommandLog) -> u64 {
    log.commands().len() as u64
}

fn names(log: &CommandLog) -> Vec<String> {
    log.commands().into_iter().map(|(name, _)| name).collect()
}

#[test]
fn what_a_write_costs_is_reported() {
    let name: Cost = Part::F.name.cost();
    assert_eq!((name.mode, name.collections(), name.documents()), (CostMode::Transaction, 2, Some(501)));
    assert_eq!((name.paths[0].holder, name.paths[0].documents), ("products", Some(500)));
    assert_eq!(
        name.to_string(),
        "Part.name: a write of the field changes at most 501 documents in 2 collections, in a transaction, by 5 \
         commands\n  \
         products.parts.partId: at most 500 documents, by the index parts.partId_1__id_-1"
    );
    assert_eq!(
        Part::F.qty.cost().to_string(),
        "Part.qty: a write of the field changes at most 1 document in 1 collection, by 1 command"
    );
    assert_eq!(
        Host::F.ipaddr.cost().to_string(),
        "Host.ipaddr: a write of the field changes any number of documents in 2 collections, by 4 commands and more \
         for each \
         5000 holders\n  logmsg.host: any number of documents, by the index host_1_time_-1__id_-1"
    );
    assert_eq!(Host::F.ipaddr.cost().commands(12_000), 8);
}

#[tokio::test]
async fn a_write_sends_what_its_cost_says_and_the_plan_tells_it() {
    let (db, log) = database_with_log().await;
    let plan = schema().plan(&db).await.unwrap().to_string();
    assert!(
        plan.contains("\ncost: Part.name: a write of the field changes at most 501 documents in 2 collections"),
        "{plan}"
    );
    assert!(plan.contains("\ncost: Part.madeIn: ") && plan.contains("\ncost: Host.ipaddr: "), "{plan}");
    three_products(&db).await;
    // The first transaction on new collections may be repeated.
    Part::update_by_id(1).set(Part::F.name, "first").execute(&db).await.unwrap();
    log.clear();
    Part::update_by_id(1).set(Part::F.name, "new").execute(&db).await.unwrap();
    assert_eq!(sent(&log), Part::F.name.cost().commands(2), "{:?}", names(&log));
    log.clear();
    Part::update_by_id(1).set(Part::F.qty, 7).execute(&db).await.unwrap();
    assert_eq!(sent(&log), Part::F.qty.cost().commands(2));
    assert_eq!(Product::F.parts.cost().mode, CostMode::Alone);

    Host::insert(&db, &Host { id: 1, name: "host".to_owned(), ipaddr: "old".to_owned() }).await.unwrap();
    let message = |id| LogMsg {
        id,
        host: Ref::new(1),
        ipaddr: String::new(),
        time: DateTime::from_millis(id),
        message: "up".to_owned(),
    };
    LogMsg::insert_many(&db, (0..50).map(message).collect::<Vec<_>>()).await.unwrap();
    log.clear();
    Host::update_by_id(1).set(Host::F.ipaddr, "new").execute(&db).await.unwrap();
    assert_eq!(sent(&log), Host::F.ipaddr.cost().commands(50), "{:?}", names(&log));
}
