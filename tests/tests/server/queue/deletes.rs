//! Deletes that return the document, of models without effects of deletes.

use schema_runtime::ShardingError;
use schema_tests::{database, database_with_log, fail_command};

use super::*;

#[tokio::test]
async fn the_first_document_of_the_order_is_deleted_by_one_command() {
    let (db, log) = database_with_log().await;
    insert_jobs(&db, 3).await;
    log.clear();
    let oldest = Job::find_one_and_delete(Job::F.queue.eq("mail")).sort([Job::F.created.asc(), Job::F.id.desc()]);
    assert_eq!(oldest.clone().fetch(&db).await.unwrap(), Some(shown(3)));
    let sent = log.commands();
    assert_eq!(sent.len(), 1, "{sent:?}");
    let (name, command) = &sent[0];
    assert_eq!(name, "findAndModify");
    assert_eq!(command.get_document("query").unwrap(), &doc! { "queue": "mail" });
    assert_eq!(command.get_document("sort").unwrap(), &doc! { "at": 1, "_id": -1 });
    assert_eq!(command.get_document("fields").unwrap(), &doc! { "secret": 0 });
    assert_eq!(command.get_bool("remove").ok(), Some(true));

    assert_eq!(oldest.clone().fetch(&db).await.unwrap(), Some(shown(2)));
    assert_eq!(left(&db, "jobs").await, [1]);
    assert_eq!(Job::find_one_and_delete(Job::F.queue.eq("print")).fetch(&db).await.unwrap(), None);
    assert_eq!(oldest.reveal(Job::F.secret).fetch(&db).await.unwrap(), Some(job(1)));
    assert!(left(&db, "jobs").await.is_empty());
}

#[tokio::test]
async fn the_writes_take_options() {
    let (db, log) = database_with_log().await;
    schema_runtime::schema![Job].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    insert_jobs(&db, 2).await;
    log.clear();
    let oldest = || Job::find_one_and_delete(Job::F.queue.eq("mail")).sort(Job::F.created.asc()).comment("worker 7");
    assert_eq!(oldest().hint("queue_1_at_1").fetch(&db).await.unwrap(), Some(shown(2)));
    let replaced = Job::find_one_and_replace(Job::F.queue.eq("mail"), &job(1)).comment("worker 7").fetch_after(&db);
    assert_eq!(replaced.await.unwrap(), Some(shown(1)));
    let sent = log.named("findAndModify");
    assert_eq!(sent[0].get_str("hint").ok(), Some("queue_1_at_1"));
    assert!(sent.iter().all(|command| command.get_str("comment").ok() == Some("worker 7")), "{sent:?}");
    assert!(matches!(oldest().hint("by_name").fetch(&db).await, Err(Error::UnknownIndex { .. })));
}

#[test]
fn the_writes_are_shown_for_mongosh() {
    let oldest = Job::find_one_and_delete(Job::F.queue.eq("mail")).sort(Job::F.created.asc()).to_mongosh().unwrap();
    assert!(oldest.starts_with(r#"db.getCollection("jobs").findOneAndDelete({ queue: "mail" }, { "#), "{oldest}");
    assert!(oldest.contains("sort: { at: 1 }"), "{oldest}");
    let replaced = Job::find_one_and_replace(Job::F.queue.eq("mail"), &job(1)).to_mongosh().unwrap();
    let line = r#"db.getCollection("jobs").findOneAndUpdate({ queue: "mail" }, [{ $replaceWith: "#;
    assert!(replaced.starts_with(line), "{replaced}");
}

#[tokio::test]
async fn a_debug_text_has_no_values() {
    let text = format!("{:?}", Job::find_one_and_delete(Job::F.queue.eq("classified")).sort(Job::F.created.asc()));
    assert!(text.contains("queue") && !text.contains("classified"), "{text}");
}

#[tokio::test]
async fn a_refused_delete_and_an_unfit_document() {
    let db = database().await;
    insert_jobs(&db, 2).await;
    let oldest = || Job::find_one_and_delete(Filter::all()).sort(Job::F.created.asc());
    let failure = fail_command(&db, doc! { "times": 1 }, doc! { "failCommands": ["findAndModify"], "errorCode": 13 });
    let failure = failure.await;
    assert!(matches!(oldest().fetch(&db).await, Err(Error::Driver(_))));
    failure.clear().await;
    assert_eq!(left(&db, "jobs").await, [1, 2]);

    db.collection::<Document>("jobs").insert_one(doc! { "_id": 3_i64, "queue": 5 }).await.unwrap();
    assert!(matches!(oldest().fetch(&db).await, Err(Error::Decode { .. })));
    assert_eq!(left(&db, "jobs").await, [1, 2]);
}

#[tokio::test]
async fn a_transaction_takes_the_document_back() {
    let db = database().await;
    insert_jobs(&db, 3).await;
    let oldest = || Job::find_one_and_delete(Filter::all()).sort(Job::F.created.asc());
    let undone: Result<()> = schema_runtime::transaction(&db, |tx| async move {
        assert_eq!(oldest().fetch(&tx).await?.map(|job| job.id), Some(3));
        assert_eq!(oldest().fetch(&tx).await?.map(|job| job.id), Some(2));
        Err(Error::Query { message: "undone" })
    })
    .await;
    assert!(undone.is_err());
    assert_eq!(left(&db, "jobs").await, [1, 2, 3]);
}

/// The tasks of a cluster: a router sends a `findAndModify` to the shard of the key.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tasks")]
#[shard_key(tenant, distinct(tenant = 10_000))]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    tenant: i64,
}

#[tokio::test]
async fn the_filter_gives_the_shard_key() {
    let (db, log) = database_with_log().await;
    Task::insert(&db, &Task { id: 1, tenant: 7 }).await.unwrap();
    log.clear();
    let error = Task::find_one_and_delete(Task::F.id.eq(1)).fetch(&db).await.unwrap_err();
    assert!(
        matches!(&error, Error::Sharding(ShardingError::KeyMissing { fields, .. }) if fields == &["tenant"]),
        "{error}"
    );
    assert!(log.commands().is_empty());
    let deleted = Task::find_one_and_delete(Task::F.tenant.eq(7)).sort(Task::F.id.asc()).fetch(&db).await.unwrap();
    assert_eq!(deleted, Some(Task { id: 1, tenant: 7 }));
}

/// An update that adds to a bounded array takes the first document that has capacity.
#[tokio::test]
async fn an_update_takes_the_first_document_with_capacity() {
    let (db, log) = database_with_log().await;
    insert_jobs(&db, 2).await;
    let newest = || Job::find_one_and_update(Filter::all()).sort(Job::F.created.desc()).push(Job::F.notes, "seen");
    for expected in [1, 1, 2, 2] {
        assert_eq!(newest().fetch_before(&db).await.unwrap().map(|job| job.id), Some(expected));
    }
    let sent = log.named("findAndModify");
    assert!(sent.iter().all(|command| command.get_document("sort").ok() == Some(&doc! { "at": -1 })), "{sent:?}");
    assert!(matches!(newest().fetch_before(&db).await, Err(Error::BoundExceeded { .. })));
}
