//! The harness itself: a database for each test, the command log, failures on request.

use mongodb::{
    Database,
    bson::{Document, doc},
    error::ErrorKind,
};
use schema_tests::{database, database_with_log, fail_command};

#[tokio::test]
async fn each_database_is_new_and_takes_writes() {
    let (first, second) = (database().await, database().await);
    assert_ne!(first.name(), second.name());
    first.collection::<Document>("things").insert_one(doc! { "a": 1 }).await.unwrap();
    assert_eq!(first.collection::<Document>("things").count_documents(doc! {}).await.unwrap(), 1);
    assert_eq!(second.collection::<Document>("things").count_documents(doc! {}).await.unwrap(), 0);
}

#[tokio::test]
async fn the_log_holds_what_was_sent() {
    let (db, log) = database_with_log().await;
    let things = db.collection::<Document>("things");
    things.find_one(doc! { "a": 1 }).await.unwrap();
    things.insert_one(doc! { "a": 2 }).await.unwrap();
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["find", "insert"]);
    let finds = log.named("find");
    assert_eq!(finds[0].get_document("filter").unwrap(), &doc! { "a": 1 });
    assert_eq!(finds[0].get_str("$db").unwrap(), db.name());
    log.clear();
    assert!(log.commands().is_empty());
}

#[tokio::test]
async fn a_failure_on_request_is_for_one_client_and_ends() {
    let (db, other) = (database().await, database().await);
    let insert = async |db: &Database| db.collection("things").insert_one(doc! { "a": 1 }).await;
    let refused = doc! { "failCommands": ["insert"], "errorCode": 13 };

    let failure = fail_command(&db, "alwaysOn", refused.clone()).await;
    let error = insert(&db).await.unwrap_err();
    assert!(matches!(&*error.kind, ErrorKind::Command(command) if command.code == 13), "{error}");
    insert(&other).await.unwrap();
    failure.clear().await;
    insert(&db).await.unwrap();

    let failure = fail_command(&db, doc! { "times": 1 }, refused).await;
    insert(&db).await.unwrap_err();
    insert(&db).await.unwrap();
    failure.clear().await;
}
