//! An error after a completed write carries the result document of the call.

use mongodb::{Database, bson::doc};
use schema_runtime::{Error, Throttle, prelude::*};
use schema_tests::{database, fail_command};

use super::{
    models::{Host, LogMsg, Part},
    repair::{schema, three_products},
    writes::part,
};

const NO_RETRY: i32 = 8_000;

/// Returns the document of an error of a completed write. The error shows no value of the document.
#[track_caller]
fn document_of<M: Model>(error: &Error) -> Option<M> {
    assert!(error.is_done() && matches!(error, Error::CopiesPending { .. }), "{error:?}");
    let texts = format!("{error} {error:?}");
    assert!(!texts.contains("secret"), "{texts}");
    error.document::<M>().map(|document| document.unwrap())
}

/// Returns the error of a call whose second update fails: the write and its copies are committed. A transaction that
/// the server refuses for a moment begins again, and its update takes the failure: the call has done nothing, and is
/// repeated.
async fn pending<T>(db: &Database, call: impl AsyncFn() -> Result<T>) -> Error {
    for _ in 0..20 {
        let data = doc! { "failCommands": ["update"], "errorCode": NO_RETRY };
        let point = fail_command(db, doc! { "skip": 1 }, data).await;
        let called = call().await;
        point.clear().await;
        match called {
            Err(error) if error.is_done() => return error,
            Err(Error::Driver(_)) => {}
            called => panic!("{:?}", called.err()),
        }
    }
    panic!("each transaction began again");
}

#[tokio::test]
async fn an_update_that_gives_a_document() {
    let db = database().await;
    three_products(&db).await;
    let update = || Part::find_one_and_update(Part::F.id.eq(1));
    let error = pending(&db, async || update().set(Part::F.name, "secret").fetch_after(&db).await).await;
    assert_eq!(document_of::<Part>(&error), Some(part(1, "secret")));

    let error = pending(&db, async || update().set(Part::F.name, "secret 2").fetch_before(&db).await).await;
    assert_eq!(document_of::<Part>(&error), Some(part(1, "secret")));

    let error = pending(&db, async || Part::update_by_id(1).set(Part::F.name, "secret 3").execute(&db).await).await;
    assert_eq!(document_of::<Part>(&error), None);

    let error = pending(&db, async || Part::save(&db, &mut part(2, "secret 4")).await).await;
    assert_eq!(document_of::<Part>(&error), Some(part(2, "secret 4")));
    schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(Part::get_by_id(&db, 1).await.unwrap().name, "secret 3");
}

#[tokio::test]
async fn an_insert_that_gives_a_document() {
    let db = database().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    let mut host = Host { id: 1, name: "secret".to_owned(), ipaddr: "secret too".to_owned() };
    // The client does not know if documents refer to the host.
    let data = doc! { "failCommands": ["distinct"], "errorCode": NO_RETRY };
    let point = fail_command(&db, "alwaysOn", data).await;
    let error = Host::create(&db, &mut host).await.unwrap_err();
    assert_eq!(document_of::<Host>(&error), Some(host.clone()));
    point.clear().await;

    let build = |host: &Host| LogMsg {
        id: 1,
        host: Ref::new(host.id),
        ipaddr: "?".to_owned(),
        time: DateTime::from_millis(1),
        message: "up".to_owned(),
    };
    schema().recover(&db, &Throttle::new()).await.unwrap();
    // The first insert of a path reads more than the next inserts.
    LogMsg::insert_with(&db, &Ref::<Host>::new(1), |host| LogMsg { id: 2, ..build(host) }).await.unwrap();
    // The source is read, the holder is inserted, and the second look at the source fails.
    let data = doc! { "failCommands": ["find"], "errorCode": NO_RETRY };
    let point = fail_command(&db, doc! { "skip": 1 }, data).await;
    let error = LogMsg::insert_with(&db, &Ref::<Host>::new(1), build).await.unwrap_err();
    point.clear().await;
    let message = document_of::<LogMsg>(&error).unwrap();
    assert_eq!((message.ipaddr.as_str(), &message), ("secret too", &LogMsg::get_by_id(&db, 1).await.unwrap()));
}

/// The copies are right, and the mark of the source cannot be cleared: the write is no error, and the mark is pending.
#[tokio::test]
async fn a_mark_that_stays_is_no_error() {
    let db = database().await;
    three_products(&db).await;
    let namespace = format!("{}.{}", db.name(), Part::DEFINITION.collection);
    let data = doc! { "failCommands": ["update"], "namespace": namespace, "errorCode": NO_RETRY };
    let point = fail_command(&db, "alwaysOn", data).await;
    Part::update_by_id(1).set(Part::F.name, "new").execute(&db).await.unwrap();
    Part::insert(&db, &part(9, "alone")).await.unwrap();
    point.clear().await;
    let verified = schema().verify(&db).await.unwrap();
    assert!(!verified.is_clean(), "{verified}");
    schema().recover(&db, &Throttle::new()).await.unwrap();
    let verified = schema().verify(&db).await.unwrap();
    assert!(verified.is_clean(), "{verified}");
}
