//! Many workers that take jobs at the same time: each job goes to one worker.

use futures_util::future::{BoxFuture, join_all};
use schema_tests::{database, delete_rules, rollups};

use super::*;

const WORKERS: usize = 8;

/// Lets eight workers take documents until none is left, and returns the `_id`s that each worker got.
async fn work(db: &Database, take: for<'a> fn(&'a Database) -> BoxFuture<'a, Option<i64>>) -> Vec<Vec<i64>> {
    let workers = (0..WORKERS).map(|_| {
        let db = db.clone();
        tokio::spawn(async move {
            let mut taken = Vec::new();
            while let Some(id) = take(&db).await {
                taken.push(id);
            }
            taken
        })
    });
    join_all(workers).await.into_iter().map(Result::unwrap).collect()
}

fn assert_each_once(taken: &[Vec<i64>], count: i64) {
    let mut all: Vec<i64> = taken.concat();
    all.sort_unstable();
    assert_eq!(all, (1..=count).collect::<Vec<i64>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_job_goes_to_one_worker() {
    let db = database().await;
    insert_jobs(&db, 80).await;
    let taken = work(&db, |db| {
        Box::pin(async move {
            let oldest = Job::find_one_and_delete(Job::F.queue.eq("mail")).sort(Job::F.created.asc());
            oldest.fetch(db).await.unwrap().map(|job| job.id)
        })
    })
    .await;
    assert_each_once(&taken, 80);
    assert!(left(&db, "jobs").await.is_empty());
}

/// An update that takes a job leaves the job in the collection.
#[tokio::test(flavor = "multi_thread")]
async fn each_job_is_marked_by_one_worker() {
    let db = database().await;
    insert_jobs(&db, 80).await;
    let taken = work(&db, |db| {
        Box::pin(async move {
            let oldest = Job::find_one_and_update(Job::F.queue.eq("mail")).sort(Job::F.created.asc());
            oldest.set(Job::F.queue, "done").fetch_after(db).await.unwrap().map(|job| job.id)
        })
    })
    .await;
    assert_each_once(&taken, 80);
    assert_eq!(left(&db, "jobs").await.len(), 80);
}

/// The delete of a child changes the parent in the same transaction.
#[tokio::test(flavor = "multi_thread")]
async fn each_child_goes_to_one_worker() {
    use rollups::{Host, LogMsg};

    let db = database().await;
    Host::insert(&db, &rollups::host(1)).await.unwrap();
    LogMsg::insert_many(&db, (1..=24).map(|id| rollups::message(id, 1))).await.unwrap();
    let taken = work(&db, |db| {
        Box::pin(async move {
            let oldest = LogMsg::find_one_and_delete(LogMsg::F.host.eq(1)).sort(LogMsg::F.time.asc());
            oldest.fetch(db).await.unwrap().map(|message| message.id)
        })
    })
    .await;
    assert_each_once(&taken, 24);
    let host = Host::get_by_id(&db, 1).await.unwrap();
    assert_eq!((host.messages, host.recent), (0, vec![]));
}

/// A delete with delete rules marks the document in a transaction, and handles the children after the commit.
#[tokio::test(flavor = "multi_thread")]
async fn each_parent_goes_to_one_worker() {
    use delete_rules::{Host, Message, Note, assert_no_orphans, host, message, note};

    let db = database().await;
    Host::insert_many(&db, (1..=24).map(host)).await.unwrap();
    Message::insert_many(&db, (1..=24).map(|id| message(id, id))).await.unwrap();
    Note::insert_many(&db, (1..=24).map(|id| note(id, id))).await.unwrap();
    let taken = work(&db, |db| {
        Box::pin(async move {
            let oldest = Host::find_one_and_delete(Filter::all()).sort(Host::F.id.asc());
            oldest.fetch(db).await.unwrap().map(|host| host.id)
        })
    })
    .await;
    assert_each_once(&taken, 24);
    assert_eq!((left(&db, "messages").await.len(), left(&db, "notes").await.len()), (0, 24));
    assert_no_orphans(&db).await;
}
