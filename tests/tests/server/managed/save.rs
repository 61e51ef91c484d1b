//! `save` inserts a value that has no document: the stored data, the commands, and two clients at the same time.

use mongodb::bson::doc;
use schema_runtime::{Error, prelude::*, transaction};
use schema_tests::{Fault, Proxy, database, database_with_log};

use super::{Article, Counter, Log, Number, PLACEHOLDER, article, raw};

#[tokio::test]
async fn a_value_without_a_document_is_inserted_and_can_be_saved_again() {
    let (db, log) = database_with_log().await;
    let names = || -> Vec<String> { log.commands().into_iter().map(|(name, _)| name).collect() };
    let mut entry = Log { id: 1, created_at: PLACEHOLDER, text: "a".to_owned() };
    log.clear();
    Log::save(&db, &mut entry).await.unwrap();
    assert_eq!(names(), ["findAndModify", "insert"]);
    assert!(entry.created_at > PLACEHOLDER);
    assert_eq!(Log::get_by_id(&db, &1).await.unwrap(), entry);
    entry.text = "b".to_owned();
    log.clear();
    Log::save(&db, &mut entry).await.unwrap();
    assert_eq!(names(), ["findAndModify"]);
    assert_eq!(Log::get_by_id(&db, &1).await.unwrap(), entry);
}

#[tokio::test]
async fn a_version_above_0_without_a_document_is_an_error() {
    let db = database().await;
    let mut value = article(1);
    Article::save(&db, &mut value).await.unwrap();
    assert_eq!((value.revision, raw(&db, "articles", 1).await.get_i32("revision").unwrap()), (0, 0));
    Article::save(&db, &mut value).await.unwrap();
    assert_eq!(value.revision, 1);
    Article::delete(&db, &value).await.unwrap();
    let held = value.clone();
    let gone = Article::save(&db, &mut value).await.unwrap_err();
    assert!(matches!(gone, Error::NotFound { model: "Article", collection: "articles" }), "{gone:?}");
    assert_eq!(value, held);
    assert_eq!(Article::find_by_id(&db, &1).await.unwrap(), None);
}

#[tokio::test]
async fn a_transaction_inserts_the_value_or_nothing() {
    let db = database().await;
    Counter::insert(&db, &Counter { id: 9, count: 0, version: Number(0) }).await.unwrap();
    let saved = transaction(&db, async |tx| {
        let mut value = Counter { id: 1, count: 1, version: Number(0) };
        Counter::save(&tx, &mut value).await?;
        value.count = 2;
        Counter::save(&tx, &mut value).await?;
        Ok::<_, Error>(value)
    });
    let saved = saved.await.unwrap();
    assert_eq!(saved, Counter { id: 1, count: 2, version: Number(1) });
    assert_eq!(Counter::get_by_id(&db, &1).await.unwrap(), saved);
    let aborted = transaction(&db, async |tx| {
        Counter::save(&tx, &mut Counter { id: 2, count: 1, version: Number(0) }).await?;
        Counter::get_by_id(&tx, &3).await
    });
    assert!(matches!(aborted.await.unwrap_err(), Error::NotFound { .. }));
    assert_eq!(Counter::find_by_id(&db, &2).await.unwrap(), None);
}

/// Another client inserts the document between the replace and the insert.
#[tokio::test]
async fn a_document_of_a_faster_client_is_replaced() {
    let db = database().await;
    let proxy = Proxy::start([(1, Fault::Hold)]).await;
    let behind = proxy.database(db.name()).await;
    let saving = tokio::spawn(async move {
        let mut entry = Log { id: 1, created_at: PLACEHOLDER, text: "slow".to_owned() };
        Log::save(&behind, &mut entry).await.map(|()| entry)
    });
    proxy.reached().await;
    Log::insert(&db, &Log { id: 1, created_at: PLACEHOLDER, text: "fast".to_owned() }).await.unwrap();
    let inserted = *raw(&db, "logs", 1).await.get_datetime("created_at").unwrap();
    proxy.release();
    let saved = saving.await.unwrap().unwrap();
    assert_eq!(proxy.names(), ["findAndModify", "insert", "findAndModify"]);
    assert_eq!(saved, Log { id: 1, created_at: inserted, text: "slow".to_owned() });
    assert_eq!(Log::get_by_id(&db, &1).await.unwrap(), saved);
}
