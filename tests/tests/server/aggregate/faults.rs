//! Aggregations whose commands fail on the way, and streams that are dropped.

use std::time::Duration;

use mongodb::bson::{Document, doc};
use schema_runtime::prelude::*;
use schema_tests::{FailPoint, database, database_with_log, fail_command};
use tokio::time::sleep;

use super::models::{Order, order};

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(total))]
struct Each {
    total: i64,
    #[count]
    orders: i64,
}

const MANY: i64 = 2_500;

async fn filled(db: &Database) {
    Order::insert_many(db, (0..MANY).map(order).collect::<Vec<_>>()).await.unwrap();
}

async fn failing(db: &Database, command: &str, times: i32, failure: Document) -> FailPoint {
    let mut data = doc! { "failCommands": [command] };
    data.extend(failure);
    fail_command(db, doc! { "times": times }, data).await
}

#[tokio::test]
async fn the_first_command_is_sent_again_after_a_network_error() {
    let (db, log) = database_with_log().await;
    filled(&db).await;
    for failure in [doc! { "closeConnection": true }, doc! { "errorCode": 10107 }] {
        log.clear();
        let point = failing(&db, "aggregate", 1, failure).await;
        assert_eq!(Order::aggregate::<Each>().fetch_all(&db).await.unwrap().len() as i64, MANY);
        point.clear().await;
        assert_eq!(log.named("aggregate").len(), 2);
    }
}

#[tokio::test]
async fn a_second_network_error_and_a_refusal_are_errors() {
    let (db, log) = database_with_log().await;
    filled(&db).await;
    let point = failing(&db, "aggregate", 2, doc! { "closeConnection": true }).await;
    let error = Order::aggregate::<Each>().fetch_one(&db).await.unwrap_err();
    point.clear().await;
    assert!(matches!(error, Error::Connection { sent: true, .. }), "{error:?}");
    log.clear();
    // The server refuses the command, and the command is not sent again.
    let point = failing(&db, "aggregate", 1, doc! { "errorCode": 13 }).await;
    let error = Order::aggregate::<Each>().fetch_all(&db).await.unwrap_err();
    point.clear().await;
    assert!(matches!(error, Error::Driver(_)), "{error:?}");
    assert_eq!(log.named("aggregate").len(), 1);
    assert!(!error.to_string().contains("total"), "{error}");
}

#[tokio::test]
async fn a_stream_ends_after_an_error_in_a_later_reply() {
    let (db, log) = database_with_log().await;
    filled(&db).await;
    for failure in [doc! { "closeConnection": true }, doc! { "errorCode": 13 }] {
        log.clear();
        let mut stream = Order::aggregate::<Each>().stream(&db).await.unwrap();
        let point = failing(&db, "getMore", 1, failure.clone()).await;
        let mut good = 0;
        let error = loop {
            match stream.next().await.expect("an error") {
                Ok(_) => good += 1,
                Err(error) => break error,
            }
        };
        point.clear().await;
        assert_eq!(good, 1_000, "{failure}");
        let is_of_network = matches!(error, Error::Connection { sent: true, .. });
        assert!(is_of_network == failure.contains_key("closeConnection"), "{error:?}");
        assert!(stream.next().await.is_none());
        // A read of a later reply cannot be repeated: the server does not know which replies have arrived.
        assert_eq!((log.named("aggregate").len(), log.named("getMore").len()), (1, 1));
    }
}

async fn open_cursors(db: &Database) -> usize {
    let filter = doc! { "type": "idleCursor", "ns": { "$regex": format!("^{}", db.name()) } };
    let stages = vec![doc! { "$currentOp": { "idleCursors": true } }, doc! { "$match": filter }];
    let mut found = db.client().database("admin").aggregate(stages).await.unwrap();
    let mut number = 0;
    while found.advance().await.unwrap() {
        number += 1;
    }
    number
}

#[tokio::test]
async fn a_dropped_stream_closes_its_cursor() {
    let (db, log) = database_with_log().await;
    filled(&db).await;
    let mut stream = Order::aggregate::<Each>().stream(&db).await.unwrap();
    stream.next().await.unwrap().unwrap();
    assert_eq!(open_cursors(&db).await, 1);
    drop(stream);
    assert_cursors_close(&db).await;
    assert_eq!(log.named("killCursors").len(), 1);
}

/// Waits until the server has no open cursor of the database.
pub(super) async fn assert_cursors_close(db: &Database) {
    for _ in 0..50 {
        if open_cursors(db).await == 0 {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("the server still has an open cursor");
}

/// In a transaction, a failed aggregation ends the transaction, and the whole transaction runs again where the server
/// allows another try.
#[tokio::test]
async fn a_transaction_runs_again_after_a_transient_error() {
    let db = database().await;
    filled(&db).await;
    let failure = doc! { "errorCode": 246, "errorLabels": ["TransientTransactionError"] };
    let point = failing(&db, "aggregate", 1, failure).await;
    let found = schema_runtime::transaction(&db, |tx| async move {
        Order::insert(&tx, &order(MANY)).await?;
        Order::aggregate::<Each>().filter(Order::F.total.gte(10 * MANY)).fetch_all(&tx).await
    });
    let found = found.await.unwrap();
    point.clear().await;
    assert_eq!(found, [Each { total: 10 * MANY, orders: 1 }]);
    assert_eq!(Order::find(Filter::all()).count(&db).await.unwrap(), MANY as u64 + 1);
}
