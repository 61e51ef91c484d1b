//! Two versions of an application write concurrently: a copied field was added, a field removed, a field renamed, and a
//! place with copies was added. The order of the manual's page `deploying` leaves every copy right, whatever the old
//! version writes meanwhile.

mod new;
mod old;

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::{Duration, Instant},
};

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Schema, Throttle, prelude::*, worker::WorkerEvent};
use schema_tests::{PATIENCE, RunningWorker, database};

const AUTHORS: i64 = 5;
const ROUNDS: u64 = 120;

/// Writes the documents of the old version, before the new version starts.
async fn of_before(db: &Database) {
    old::schema().plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    let authors: Vec<old::Author> = (0..AUTHORS).map(old::author).collect();
    old::Author::insert_many(db, &authors).await.unwrap();
    let ids = || 0..AUTHORS;
    old::Book::insert_many(db, ids().map(|id| old::book(id, id)).collect::<Vec<_>>()).await.unwrap();
    old::Shelf::insert_many(db, ids().map(|id| old::shelf(id, id)).collect::<Vec<_>>()).await.unwrap();
    old::Card::insert_many(db, ids().map(|id| old::card(id, id)).collect::<Vec<_>>()).await.unwrap();
}

async fn apply_new(db: &Database) {
    new::schema().plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
}

/// Runs clients of both versions; all writes return without an error.
async fn both_write(db: &Database, first: i64) {
    let ids = AtomicI64::new(first);
    let id = || ids.fetch_add(1, Ordering::Relaxed);
    let old_ones = async {
        for round in 0..ROUNDS {
            old::write(db, round, id()).await;
        }
    };
    let others = async {
        for round in 0..ROUNDS {
            old::write(db, round * 7 + 3, id()).await;
        }
    };
    let new_ones = async {
        for round in 0..ROUNDS {
            new::write(db, round * 5 + 1, id()).await;
        }
    };
    tokio::join!(old_ones, others, new_ones);
}

/// Returns the copies of the new version that differ from their sources, by the raw documents.
async fn wrong(db: &Database) -> Vec<Document> {
    let places = [
        ("books", None, "author", vec![("name", "name"), ("city", "city")]),
        ("shelves", Some("authors"), "id", vec![("title", "name")]),
        ("cards", None, "author", vec![("label", "name")]),
    ];
    let mut found = Vec::new();
    for (collection, array, reference, fields) in places {
        let mut pipeline = Vec::new();
        pipeline.extend(array.map(|array| doc! { "$unwind": format!("${array}") }));
        let at = array.map(|array| format!("{array}.")).unwrap_or_default();
        let differs = fields.iter().map(|(copy, of)| doc! { "$ne": [format!("${at}{copy}"), format!("$source.{of}")] });
        let differs: Vec<Document> = differs.collect();
        pipeline.extend([
            doc! { "$lookup": { "from": "authors", "localField": format!("{at}{reference}"), "foreignField": "_id", "as": "source" } },
            doc! { "$unwind": "$source" },
            doc! { "$match": { "$expr": { "$or": differs } } },
        ]);
        let mut documents = db.collection::<Document>(collection).aggregate(pipeline).await.unwrap();
        while documents.advance().await.unwrap() {
            found.push(Document::try_from(documents.current()).unwrap());
        }
    }
    found
}

async fn assert_right(db: &Database, schema: &Schema) {
    let wrong = wrong(db).await;
    assert!(wrong.is_empty(), "{wrong:#?}");
    let report = schema.verify(db).await.unwrap();
    assert!(super::repair::stale(&report).is_empty() && report.pending().is_empty(), "{report}");
}

#[tokio::test]
async fn a_repair_when_the_old_version_has_ended() {
    let db = database().await;
    of_before(&db).await;
    apply_new(&db).await;
    both_write(&db, 1_000).await;
    assert!(!wrong(&db).await.is_empty(), "the old version has left nothing");
    let repaired = new::schema().repair(&db, &Throttle::new()).await.unwrap();
    assert!(super::repair::copies(&repaired) > 0, "{repaired}");
    new::schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_right(&db, &new::schema()).await;
}

#[tokio::test]
async fn a_worker_beside_the_old_version_and_a_backfill_when_it_has_ended() {
    let db = database().await;
    of_before(&db).await;
    apply_new(&db).await;
    let running = RunningWorker::start(new::schema().worker(&db).watch_all_copies().grace(Duration::from_secs(1)));
    while db.collection::<Document>("schema_watch").count_documents(doc! {}).await.unwrap() == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    both_write(&db, 1_000).await;
    new::schema().backfill(&db, &Throttle::new()).await.unwrap();
    let begun = Instant::now();
    while !wrong(&db).await.is_empty() {
        assert!(begun.elapsed() < PATIENCE, "{:#?}", wrong(&db).await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    running.stop().await;
    new::schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_right(&db, &new::schema()).await;
}

/// Returns every document that holds copies.
async fn holders(db: &Database) -> Vec<Document> {
    let mut all = Vec::new();
    for collection in ["books", "shelves", "cards"] {
        let mut documents = db.collection::<Document>(collection).find(doc! {}).sort(doc! { "_id": 1 }).await.unwrap();
        while documents.advance().await.unwrap() {
            all.push(Document::try_from(documents.current()).unwrap());
        }
    }
    all
}

/// Returns how often in a row, at the end of the events, no change was left.
fn idle(events: &[WorkerEvent]) -> usize {
    let lags =
        events.iter().rev().filter_map(|event| if let WorkerEvent::Lagging(lag) = event { Some(lag) } else { None });
    lags.take_while(|lag| lag.behind.is_zero()).count()
}

/// A worker of each version beside writers of both versions: neither worker undoes the work of the second worker, and
/// both come to an end.
#[tokio::test]
async fn a_worker_of_each_version() {
    let db = database().await;
    of_before(&db).await;
    apply_new(&db).await;
    both_write(&db, 1_000).await;
    let running = [old::schema(), new::schema()]
        .map(|schema| RunningWorker::start(schema.worker(&db).watch_all_copies().grace(Duration::from_secs(1))));
    both_write(&db, 10_000).await;
    // Quiet: each worker found nothing to do three times in sequence, and no holder changed meanwhile.
    let (begun, mut before) = (Instant::now(), Vec::new());
    loop {
        let seen = running.each_ref().map(|running| running.events().len());
        while running.iter().zip(seen).any(|(running, seen)| idle(&running.events()[seen..]) < 3) {
            tokio::time::sleep(Duration::from_millis(100)).await;
            assert!(begun.elapsed() < PATIENCE, "the workers go on for ever");
        }
        let now = holders(&db).await;
        if now == before {
            break;
        }
        before = now;
    }
    for running in running {
        running.stop().await;
    }
    new::schema().recover(&db, &Throttle::new()).await.unwrap();
    new::schema().backfill(&db, &Throttle::new()).await.unwrap();
    assert_right(&db, &new::schema()).await;
}

/// A backfill finds the documents of the old version by the new version's fields alone, without a read of the sources'
/// values.
#[tokio::test]
async fn what_the_old_version_has_filled_is_found() {
    let db = database().await;
    of_before(&db).await;
    apply_new(&db).await;
    new::Book::insert(&db, &new::book(100, 0)).await.unwrap();
    let before = db.collection::<Document>("books").find_one(doc! { "_id": 100_i64 }).await.unwrap().unwrap();
    let filled = new::schema().backfill(&db, &Throttle::new()).await.unwrap().to_string();
    let expected = ["Book.author", "Shelf.authors.id", "Card.author"]
        .map(|path| format!("{path}: 5 incomplete copies, 5 documents written"))
        .join("\n");
    assert_eq!(filled, expected);
    assert_eq!(db.collection::<Document>("books").find_one(doc! { "_id": 100_i64 }).await.unwrap(), Some(before));
    new::schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_right(&db, &new::schema()).await;
    assert_eq!(new::schema().backfill(&db, &Throttle::new()).await.unwrap().to_string(), "nothing to fill");
    // A sweep of the old version: the copies are again the fields of the old version.
    old::Author::update_by_id(0).set(old::Author::F.name, "swept").execute(&db).await.unwrap();
    let filled = new::schema().backfill(&db, &Throttle::new()).await.unwrap().to_string();
    assert_eq!(
        filled,
        "Book.author: 2 incomplete copies, 2 documents written\n\
         Shelf.authors.id: 1 incomplete copy, 1 document written"
    );
}

/// A marked source, perhaps with the mark of an ended client of the old version, is propagated completely.
#[tokio::test]
async fn a_backfill_of_a_source_that_is_marked() {
    let db = database().await;
    of_before(&db).await;
    apply_new(&db).await;
    let mark = schema_runtime::prelude::ObjectId::new();
    let marks = doc! { "$set": { "_sync_books_author": mark } };
    db.collection::<Document>("authors").update_one(doc! { "_id": 0_i64 }, marks).await.unwrap();
    new::schema().backfill(&db, &Throttle::new()).await.unwrap();
    assert_right(&db, &new::schema()).await;
}
