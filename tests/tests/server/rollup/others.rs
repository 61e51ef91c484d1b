//! A search finds the pending differences of hundreds of parents among few or many pending differences of further
//! parents. The work does not grow with the differences of the further parents.

use mongodb::{
    Database,
    bson::{Document, doc, oid::ObjectId},
};
use schema_runtime::{Schema, Throttle, finish_writes, prelude::*, schema};
use schema_tests::{CommandLog, database_with_log, rollups::all};

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "shelves")]
struct Shelf {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(count(Book::shelf))]
    books: i64,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    #[reference(may_dangle)]
    shelf: Ref<Shelf>,
}

const SCHEMA: Schema = schema![Shelf, Book];

/// More parents than a filter names.
const SHELVES: i64 = 250;

/// The most parents that a filter names.
const RANGES: i64 = 100;

/// Writes a pending difference for each of the shelves, as if another client had just written a book.
async fn leave(db: &Database, shelves: impl IntoIterator<Item = i64>) {
    let left = shelves.into_iter().map(|shelf| {
        let id = doc! { "path": "books_shelf", "parent": shelf, "id": ObjectId::new() };
        doc! { "_id": id, "count": 1_i64, "sums": {}, "extremes": false }
    });
    db.collection::<Document>("schema_deltas").insert_many(left).await.unwrap();
}

/// Returns the shelves with pending differences.
async fn left(db: &Database) -> Vec<i64> {
    let parent = |left: &Document| left.get_document("_id").unwrap().get_i64("parent").unwrap();
    all(db, "schema_deltas").await.iter().map(parent).collect()
}

async fn books(db: &Database) -> Vec<i64> {
    let shelves = Shelf::find(Filter::all()).sort([Shelf::F.id.asc()]).fetch_all(db).await.unwrap();
    shelves.iter().map(|shelf| shelf.books).collect()
}

/// Returns the number of index keys that the server reads for each `find` of pending differences.
async fn keys_examined(db: &Database, log: &CommandLog) -> Vec<i64> {
    let mut examined = Vec::new();
    for find in log.named("find") {
        if find.get_str("find").ok() != Some("schema_deltas") {
            continue;
        }
        let asked = ["find", "filter", "projection", "limit"];
        let find: Document = find.into_iter().filter(|(key, _)| asked.contains(&key.as_str())).collect();
        let explain = doc! { "explain": find, "verbosity": "executionStats" };
        let explained = db.run_command(explain).await.unwrap();
        let stats = explained.get_document("executionStats").unwrap();
        examined.push(i64::from(stats.get_i32("totalKeysExamined").unwrap()));
    }
    examined
}

async fn insert_and_recover(others: i64) -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let written = (0..SHELVES).map(|id| doc! { "_id": id, "shelf": id });
    db.collection::<Document>("books").insert_many(written).await.unwrap();
    let of_others: Vec<i64> = (0..others).map(|other| SHELVES + other).collect();
    leave(&db, [3, 200].into_iter().chain(of_others.clone())).await;
    let shelves: Vec<Shelf> = (0..SHELVES).map(|id| Shelf { id, books: 0 }).collect();
    log.clear();
    Shelf::insert_many(&db, &shelves).await.unwrap();
    finish_writes(&db).await;
    // The insert counts the books, and drops the differences that are part of the counts.
    assert_eq!(books(&db).await, vec![1; SHELVES as usize]);
    assert_eq!(left(&db).await, of_others);

    let more = [5, 150, 249];
    let written = more.map(|id| doc! { "_id": SHELVES + id, "shelf": id });
    db.collection::<Document>("books").insert_many(written).await.unwrap();
    leave(&db, more).await;
    let report = SCHEMA.verify(&db).await.unwrap();
    assert!(report.findings().is_empty() && !report.is_clean(), "{report}");
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    let expected = (0..SHELVES).map(|id| 1 + i64::from(more.contains(&id)));
    assert_eq!(books(&db).await, expected.collect::<Vec<i64>>());
    assert_eq!(left(&db).await, of_others);
    assert!(SCHEMA.verify(&db).await.unwrap().is_clean());
    (db, log)
}

/// A single read finds that two of the shelves have differences.
#[tokio::test]
async fn few_differences_of_others() {
    let (db, log) = insert_and_recover(10).await;
    let examined = keys_examined(&db, &log).await;
    assert!(examined.len() <= 4 && examined.iter().all(|keys| *keys <= 13), "{examined:?}");
}

/// A separate read searches each hundred of the shelves.
#[tokio::test]
async fn many_differences_of_others() {
    let (db, log) = insert_and_recover(1_100).await;
    let examined = keys_examined(&db, &log).await;
    assert!(examined.len() >= 3 && examined.iter().all(|keys| *keys <= RANGES), "{examined:?}");
}
