//! Bulk writes over a connection that breaks, under a write concern that is not met, and in a transaction.

use mongodb::bson::doc;
use schema_runtime::{prelude::*, transaction};
use schema_tests::{database, database_with_log, fail_command};

use super::*;

#[tokio::test]
async fn a_lost_connection_says_what_is_known_and_what_is_not() {
    let (db, log) = database_with_log().await;
    some_parts(&db).await;
    let failure = doc! { "failCommands": ["update"], "closeConnection": true };
    let point = fail_command(&db, "alwaysOn", failure).await;
    let (report, names) = sent(&log, mixed().unordered().execute(&db)).await;
    point.clear().await;
    let report = report.unwrap();
    assert_eq!(names, ["insert", "update"], "an `update` of many is not sent twice");
    // insert, update, delete, insert, insert, replace, update, delete
    assert_eq!(outcomes(&report), "DUNDDUUN");
    assert_eq!((report.counts.inserted, report.counts.matched, report.counts.unmatched), (3, 0, None));
    assert!(matches!(report.failure(), Some(Error::Connection { sent: true, .. })), "{report:?}");
    let error = report.complete().unwrap_err();
    let Error::Bulk { index: None, done: 3, failed: 0, not_tried: 2, unknown: 3, .. } = &error else {
        panic!("{error:?}")
    };
    assert!(matches!(error.cause(), Error::Connection { .. }));
    let text =
        "of the writes to `parts` 3 are done, 2 were not tried, 3 may be done or not: no MongoDB server answers: ";
    assert!(error.to_string().starts_with(text), "{error}");

    // The driver sends an insert of many once more, and the insert is done once.
    let failure = doc! { "failCommands": ["insert"], "closeConnection": true };
    let point = fail_command(&db, doc! { "times": 1 }, failure).await;
    let again = Part::bulk().insert_many([&part(20, ""), &part(21, "")]).unordered();
    let (report, names) = sent(&log, again.execute(&db)).await;
    point.clear().await;
    assert_eq!((report.unwrap().complete().unwrap().inserted, names.len()), (2, 2));
}

#[tokio::test]
async fn a_write_concern_that_is_not_met_leaves_the_writes_done() {
    let (db, log) = database_with_log().await;
    let unmet =
        doc! { "code": 64, "codeName": "WriteConcernFailed", "errmsg": "waiting", "errInfo": { "wtimeout": true } };
    let failure = doc! { "failCommands": ["insert", "update"], "writeConcernError": unmet };
    let point = fail_command(&db, "alwaysOn", failure).await;
    let report = Part::bulk().insert(&part(1, "one")).execute(&db).await.unwrap();
    let updated = Part::bulk().update(Part::update_by_id(1).inc(Part::F.qty, 1)).execute(&db).await.unwrap();
    point.clear().await;
    for report in [report, updated] {
        assert_eq!(outcomes(&report), "D");
        assert!(matches!(report.failure(), Some(Error::TimedOut { .. })), "{report:?}");
        assert!(report.complete().is_err());
    }

    let options = mongodb::options::DatabaseOptions::builder()
        .write_concern(mongodb::options::WriteConcern::builder().journal(true).build())
        .build();
    let db = db.client().database_with_options(db.name(), options);
    let (report, _) = sent(&log, mixed().unordered().execute(&db)).await;
    assert!(report.unwrap().failure().is_none());
    for (name, command) in log.commands() {
        assert_eq!(command.get_document("writeConcern").unwrap(), &doc! { "j": true }, "{name}");
    }
}

#[tokio::test]
async fn in_a_transaction_it_is_all_or_nothing() {
    let (db, log) = database_with_log().await;
    some_parts(&db).await;
    log.clear();
    let report =
        transaction(&db, |tx| async move { mixed().unordered().execute(&tx).await?.complete() }).await.unwrap();
    assert_eq!((report.inserted, report.matched, report.deleted), (3, 2, 3));
    let commands = log.commands();
    let names: Vec<_> = commands.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["insert", "update", "delete", "commitTransaction"]);
    assert!(commands.iter().all(|(_, command)| command.get("txnNumber") == commands[0].1.get("txnNumber")));
    assert!(commands[..3].iter().all(|(_, command)| command.get("writeConcern").is_none()));
    let before = stored(&db).await;

    // The transaction aborts, whatever the callback does with the error.
    for kept in [false, true] {
        let (result, names) = sent(
            &log,
            transaction(&db, |tx| async move {
                let twice = Part::bulk()
                    .insert(&part(30, ""))
                    .update(Part::update_by_id(30).set(Part::F.qty, 2))
                    .delete_by_id(&1);
                drop(twice.unordered().execute(&tx).await?);
                let refused = Part::bulk()
                    .insert_many([&part(31, ""), &part(10, ""), &part(32, "")])
                    .unordered()
                    .execute(&tx)
                    .await;
                if kept { Ok(()) } else { refused.map(drop) }
            }),
        )
        .await;
        let error = result.unwrap_err();
        if !kept {
            assert!(matches!(error, Error::Bulk { index: Some(1), .. }), "{error:?}");
            assert!(matches!(error.cause(), Error::DuplicateKey { .. }), "{error:?}");
        }
        assert_eq!(names, ["insert", "update", "delete", "insert", "abortTransaction"]);
        assert_eq!(stored(&db).await, before);
    }
}

/// For the driver, a refused `update` is a reply like any reply.
#[tokio::test]
async fn a_refused_update_ends_a_transaction_also_when_the_callback_keeps_it() {
    let db = database().await;
    some_parts(&db).await;
    let strange = doc! { "$jsonSchema": { "properties": { "qty": { "maximum": 100 } } } };
    db.run_command(doc! { "collMod": "parts", "validator": strange }).await.unwrap();
    let result = transaction(&db, |tx| async move {
        Part::insert(&tx, &part(20, "")).await?;
        let _kept = Part::bulk().update(Part::update_by_id(1).set(Part::F.qty, 101)).execute(&tx).await;
        Ok::<_, Error>(())
    })
    .await;
    assert!(result.is_err());
    assert_eq!(stored(&db).await, [1, 2, 3, 4, 5]);
}
