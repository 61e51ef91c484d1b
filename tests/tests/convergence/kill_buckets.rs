//! The client is killed (SIGKILL) at random points while its eight writers insert, change, delete and compact children
//! in buckets, and while the client moves documents into buckets and back. No work is left to do: the answered writes
//! are stored, and every bucket is whole.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{prelude::*, schema};
use schema_tests::{
    buckets::{Comment, LinkedComment, Post, comment, migrate, raw},
    scale,
};

use crate::client::{Client, another, settled, spread};

/// The bucket size of the model.
const SIZE: usize = 4;

async fn plan(db: &Database) {
    let schema = schema![Post, Comment, LinkedComment];
    schema.plan(db).await.expect("a plan").apply(db).await.expect("the plan applies");
}

/// Returns the stored children: the children of a post in read order, and the likes of each child.
async fn children(db: &Database) -> (raw::Pages, BTreeMap<i64, i64>) {
    let pages = raw::checked(db, SIZE).await;
    let mut likes = BTreeMap::new();
    for bucket in raw::buckets(db).await {
        for item in bucket.get_array("items").expect("items") {
            let item = item.as_document().expect("a child");
            likes.insert(raw::number(item, "_id"), raw::number(item, "likes"));
        }
    }
    (pages, likes)
}

/// Checks the output of a client, and returns the number of begun writes without an answer.
fn judge(said: &str, there: &BTreeMap<i64, i64>, round: u32) -> usize {
    let (mut inserted, mut deleting, mut pending) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for line in said.lines() {
        let (what, id) = line.split_once(' ').expect("what was done, and to which");
        let id: i64 = id.parse().expect("an `_id`");
        match what {
            "inserting" => drop(pending.insert(id)),
            "inserted" => drop((pending.remove(&id), inserted.insert(id))),
            "updated" => assert_eq!(there.get(&id), Some(&1), "round {round}: {line}"),
            "deleting" => drop((pending.insert(id), deleting.insert(id))),
            "deleted" => {
                pending.remove(&id);
                assert!(!there.contains_key(&id), "round {round}: {line}");
            }
            other => panic!("{other}"),
        }
    }
    for id in inserted.difference(&deleting) {
        assert!(there.contains_key(id), "round {round}: {id} is lost");
    }
    let known: BTreeSet<i64> = inserted.union(&pending).copied().collect();
    assert!(there.keys().all(|id| known.contains(id)), "round {round}: what nobody has inserted");
    pending.len()
}

/// Checks the order: a writer inserts children in sequence, each child later than the child before, and a read returns
/// the same order.
fn in_order(pages: &raw::Pages, round: u32) {
    for pages in pages.values() {
        let mut last = BTreeMap::new();
        for id in pages.concat() {
            let writer = id / 100_000;
            let before = last.insert(writer, id);
            assert!(before.is_none_or(|before| before < id), "round {round}: {before:?} is read before {id}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_is_killed_while_it_writes_children_into_buckets() {
    let (db, uri) = (schema_tests::database().await, schema_tests::server().await.uri().to_owned());
    plan(&db).await;
    let (mut in_the_middle, mut round) = (0, 0);
    while another(round, scale::BUCKET_KILLS, in_the_middle) {
        let number = i64::from(round + 1) * 10_000_000;
        let client = Client::start(&db, &uri, "buckets", number);
        let killed = tokio::task::spawn_blocking(move || {
            client.kill_after(Duration::from_millis(20) + Duration::from_millis(400).mul_f64(spread(round)))
        });
        let said = killed.await.expect("no panic");
        // The server may still run the last commands of the client: wait until the commands are done.
        settled(&db).await;
        let (pages, there) = children(&db).await;
        in_the_middle += u64::from(judge(&said, &there, round) > 0);
        in_order(&pages, round);
        // Nobody waits for a killed client.
        let own = comment(number + 9_999_999, number, i64::MAX / 2);
        Comment::insert(&db, &own).await.expect("an insert");
        Comment::compact(&db, number).await.expect("compact");
        let (pages, _) = children(&db).await;
        let mut filled = pages[&number.to_string()].iter().rev().skip_while(|page| page.is_empty()).skip(1);
        assert!(filled.all(|page| page.len() == SIZE), "round {round}: compact leaves capacity");
        db.collection::<Document>("comments").delete_many(doc! {}).await.expect("the next round begins anew");
        round += 1;
    }
    println!("{in_the_middle} of {round} kills came in the middle of a write");
    assert!(in_the_middle > 0, "no kill came in the middle");
}

/// The number of documents that each kill, and the client after the kill, move.
const DOCUMENTS: i64 = 3_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_is_killed_while_it_moves_documents_into_buckets_and_back() {
    let (db, uri) = (schema_tests::database().await, schema_tests::server().await.uri().to_owned());
    plan(&db).await;
    let all: Vec<LinkedComment> = (0..DOCUMENTS).map(|id| comment(id, id % 7, id).into()).collect();
    LinkedComment::insert_many(&db, &all).await.expect("documents");
    let begun = Instant::now();
    migrate(&db, false).await.expect("a whole migration");
    let whole = begun.elapsed();
    migrate(&db, true).await.expect("the way back");
    plan(&db).await;
    let (mut in_the_middle, mut round, mut is_back) = (0, 0, false);
    while another(round, scale::MIGRATION_KILLS, in_the_middle) {
        let client = Client::start(&db, &uri, "migrate", i64::from(is_back));
        let killed = tokio::task::spawn_blocking(move || client.kill_after(whole.mul_f64(spread(round))));
        killed.await.expect("no panic");
        settled(&db).await;
        let linked = linked(&db).await;
        let (_, there) = children(&db).await;
        let everywhere: BTreeSet<i64> = there.keys().chain(&linked).copied().collect();
        assert_eq!(everywhere.len() as i64, DOCUMENTS, "round {round}: each is somewhere");
        assert_eq!(there.len() + linked.len(), everywhere.len(), "round {round}: and nowhere else");
        in_the_middle += u64::from(!there.is_empty() && !linked.is_empty());
        // In every third round, another client finishes the migration; in the remaining rounds, the migration is killed
        // again.
        if round % 3 == 2 {
            let left = if is_back { there.len() } else { linked.len() };
            assert_eq!(migrate(&db, is_back).await.expect("the rest of it"), left as u64, "round {round}");
            is_back = !is_back;
            if is_back {
                let (pages, _) = children(&db).await;
                for pages in pages.values() {
                    assert!(pages.concat().is_sorted(), "round {round}");
                    assert!(pages.iter().rev().skip(1).all(|page| page.len() == SIZE), "round {round}: {pages:?}");
                }
            } else {
                plan(&db).await;
            }
        }
        round += 1;
    }
    println!("{whole:?} for a whole one; {in_the_middle} of {round} kills left some documents in each collection");
    assert!(in_the_middle > 0, "no kill came in the middle");
}

/// Returns the `_id`s of the documents outside of buckets.
async fn linked(db: &Database) -> Vec<i64> {
    let found =
        LinkedComment::find(Filter::all()).sort(LinkedComment::F.id.asc()).fetch_all(db).await.expect("documents");
    found.iter().map(|one| one.id).collect()
}
