//! `cost` reports the commands of a write of a child, and the write sends exactly these commands.

use schema_runtime::prelude::*;
use schema_tests::{
    database_with_log,
    rollups::{Host, LogMsg, host, message},
};

#[tokio::test]
async fn what_a_write_of_a_child_costs_is_reported() {
    let (db, log) = database_with_log().await;
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    LogMsg::insert_many(&db, &[message(1, 1), message(2, 1), message(3, 1), message(4, 1)]).await.unwrap();
    let cost = LogMsg::F.bytes.cost();
    assert_eq!((cost.collections(), cost.documents(), cost.parents.len()), (2, Some(2), 1));
    assert_eq!(
        cost.to_string(),
        "LogMsg.size: a write of the field changes at most 2 documents in 2 collections, by 4 commands\n  \
         hosts, by `host`: totalBytes, average, least, greatest; 2 fields read again by an index when the held \
         value goes"
    );
    assert_eq!(LogMsg::F.host.cost().documents(), Some(3));
    assert_eq!(
        LogMsg::F.read.cost().to_string(),
        "LogMsg.read: a write of the field changes at most 1 document in 1 collection, by 1 command"
    );
    log.clear();
    // The value is neither the least nor the greatest.
    LogMsg::update_by_id(2).inc(LogMsg::F.bytes, 1).execute(&db).await.unwrap();
    assert_eq!(log.commands().len() as u64, cost.commands(0));
}
