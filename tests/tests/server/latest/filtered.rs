//! A part of the children of one parent: `filter` and `sort` of an accessor give a read with all its calls.

use schema_runtime::{check_indexed, prelude::*, transaction};
use schema_tests::{database, database_with_log};

use super::{logged, of};
use crate::relations::*;

#[tokio::test]
async fn a_filter_keeps_the_parent_and_the_order_of_the_relation() {
    let (db, log) = database_with_log().await;
    let (hosts, messages) = logged(&db, 4).await;
    let host = &hosts[3];
    let of_host = of(host, &messages);
    let wanted: Vec<&LogMsg> = of_host.iter().copied().filter(|message| message.message.ends_with('5')).collect();
    assert!(wanted.len() > 1 && wanted.len() < of_host.len());
    log.clear();

    let filter = || Filter::<LogMsg>::raw(mongodb::bson::doc! { "message": { "$regex": "5$" } });
    let found = host.logmsgs().filter(filter()).fetch_all(&db).await.unwrap();
    assert_eq!(found.iter().collect::<Vec<_>>(), wanted);
    let commands = log.named("find");
    assert_eq!(commands.len(), 1, "one command");
    check_indexed(&host.logmsgs().filter(Filter::all()), &db).await.unwrap();

    assert_eq!(host.logmsgs().filter(filter()).count(&db).await.unwrap(), wanted.len() as u64);
    assert_eq!(
        host.logmsgs().filter(filter()).limit(1).fetch_all(&db).await.unwrap().iter().collect::<Vec<_>>(),
        wanted[..1]
    );
    assert_eq!(Host::LOGMSGS.of(host.id).filter(filter()).fetch_one(&db).await.unwrap(), *wanted[0]);
    let line: Vec<LogLine> = host.logmsgs().select::<LogLine>().filter(filter()).fetch_all(&db).await.unwrap();
    assert_eq!(line.len(), wanted.len());
    let first = host.logmsgs().filter(filter()).paginate(1).fetch(&db).await.unwrap();
    let next = first.next.expect("a further page");
    let second = host.logmsgs().filter(filter()).paginate(1).after(&next).fetch(&db).await.unwrap();
    assert_eq!((&first.items[0], &second.items[0]), (wanted[0], wanted[1]));
}

#[tokio::test]
async fn a_sort_takes_the_place_of_the_order_also_in_a_transaction() {
    let db = database().await;
    let (hosts, messages) = logged(&db, 3).await;
    let host = &hosts[2];
    let mut wanted = of(host, &messages);
    wanted.sort_by(|one, other| one.message.cmp(&other.message));
    let read = || host.logmsgs().sort(LogMsg::F.message.asc());
    let found = read().fetch_all(&db).await.unwrap();
    assert_eq!(found.iter().collect::<Vec<_>>(), wanted);
    let inside = transaction(&db, async |tx| read().limit(3).fetch_all(&tx).await).await.unwrap();
    assert_eq!(inside.iter().collect::<Vec<_>>(), wanted[..3]);
}
