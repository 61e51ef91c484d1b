//! A connection that breaks in the middle: a write that the driver retries happens once, and a write that the driver
//! does not retry is reported.

use mongodb::bson::{Bson, doc};
use schema_runtime::prelude::*;
use schema_tests::{database_with_log, fail_command};

use super::{Person, person};

/// Returns the numbers by which the server recognizes a retried command.
fn numbers(commands: &[mongodb::bson::Document]) -> Vec<&Bson> {
    commands.iter().filter_map(|command| command.get("txnNumber")).collect()
}

#[tokio::test]
async fn an_update_of_one_document_is_tried_again_and_happens_once() {
    let (db, log) = database_with_log().await;
    Person::insert(&db, &person(1)).await.unwrap();
    log.clear();
    // The server does the write, and the reply is lost. The code says nothing about the server's state: for a code of a
    // shutdown, the driver waits for the server for up to 10 s.
    let lost = doc! { "failCommands": ["update", "findAndModify"], "writeConcernError": { "code": 6, "errmsg": "lost" }, "errorLabels": ["RetryableWriteError"] };
    let failure = fail_command(&db, doc! { "times": 1 }, lost.clone()).await;
    Person::update_by_id(1).inc(Person::F.age, 1).push(Person::F.tags, "once").execute(&db).await.unwrap();
    failure.clear().await;
    let sent = log.named("update");
    assert_eq!((sent.len(), numbers(&sent).len()), (2, 2), "{sent:?}");
    assert_eq!(numbers(&sent)[0], numbers(&sent)[1]);

    let failure = fail_command(&db, doc! { "times": 1 }, lost).await;
    let after = Person::find_one_and_update(Person::F.id.eq(1)).inc(Person::F.age, 1).fetch_after(&db).await.unwrap();
    failure.clear().await;
    assert_eq!(log.named("findAndModify").len(), 2);
    let stored = Person::get_by_id(&db, &1).await.unwrap();
    assert_eq!(after.as_ref(), Some(&stored));
    assert_eq!((stored.age, &stored.tags[..]), (32, &["a".to_owned(), "b".to_owned(), "once".to_owned()][..]));
}

#[tokio::test]
async fn a_broken_connection_before_the_update_is_tried_again() {
    let (db, log) = database_with_log().await;
    Person::insert(&db, &person(1)).await.unwrap();
    log.clear();
    let broken = doc! { "failCommands": ["update"], "closeConnection": true };
    let failure = fail_command(&db, doc! { "times": 1 }, broken).await;
    Person::update_by_id(1).inc(Person::F.age, 1).execute(&db).await.unwrap();
    failure.clear().await;
    assert_eq!(log.named("update").len(), 2);
    assert_eq!(Person::get_by_id(&db, &1).await.unwrap().age, 31);
}

#[tokio::test]
async fn an_update_of_many_documents_is_not_tried_again() {
    let (db, log) = database_with_log().await;
    Person::insert_many(&db, &[person(1), person(2)]).await.unwrap();
    log.clear();
    let broken = doc! { "failCommands": ["update"], "closeConnection": true };
    let failure = fail_command(&db, doc! { "times": 1 }, broken).await;
    let error = Person::update_many(Filter::all()).inc(Person::F.age, 1).execute(&db).await.unwrap_err();
    failure.clear().await;
    assert_eq!(log.named("update").len(), 1);
    assert!(matches!(error, Error::Connection { .. }), "{error:?}");
    assert_eq!(Person::find(Person::F.age.eq(30)).count(&db).await.unwrap(), 2);
}

#[tokio::test]
async fn what_the_validator_or_a_unique_index_refuses_is_reported_by_its_cause() {
    let (db, _) = database_with_log().await;
    schema![Person].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Person::insert_many(&db, &[person(1), person(2)]).await.unwrap();
    let index = mongodb::IndexModel::builder().keys(doc! { "name": 1 });
    let index = index.options(mongodb::options::IndexOptions::builder().unique(true).build()).build();
    Person::collection(&db).create_index(index).await.unwrap();
    let twice = Person::update_by_id(1).set(Person::F.name, "n2").execute(&db).await.unwrap_err();
    assert!(matches!(&twice, Error::DuplicateKey { index, .. } if index == "name_1"), "{twice:?}");
    let twice =
        Person::find_one_and_update(Person::F.id.eq(1)).set(Person::F.name, "n2").fetch_after(&db).await.unwrap_err();
    assert!(matches!(&twice, Error::DuplicateKey { index, .. } if index == "name_1"), "{twice:?}");
    // An upsert without a required field.
    let half = Person::update_by_id(3).set(Person::F.name, "half").upsert().execute(&db).await.unwrap_err();
    assert!(matches!(half, Error::DocumentInvalid { .. }), "{half:?}");
    let half =
        Person::find_one_and_update(Person::F.id.eq(3)).set(Person::F.name, "half").upsert().fetch_after(&db).await;
    assert!(matches!(half, Err(Error::DocumentInvalid { .. })), "{half:?}");
}
