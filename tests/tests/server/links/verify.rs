//! Links that another program has stored at a single end: found, and repaired.

use std::sync::{Arc, Mutex};

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{MaintenanceKind, Schema, Throttle, prelude::*};
use schema_tests::{
    database,
    links::{Author, Book, Person, Task, assert_agree, author, book, person, task},
};

fn the_schema() -> Schema {
    schema![Task, Person, Book, Author]
}

/// Inserts the authors and books of the Little MongoDB Schema Design Book, as printed: author 1 names books 1 and 2,
/// author 2 names book 1; book 1 names authors 1 and 2, book 2 names nobody.
async fn little_book(db: &Database) {
    let (authors, books) = (db.collection::<Document>("authors"), db.collection::<Document>("books"));
    authors
        .insert_many([
            doc! { "_id": 1_i64, "name": "Peter Standford", "books": [1_i64, 2_i64] },
            doc! { "_id": 2_i64, "name": "Georg Peterson", "books": [2_i64] },
        ])
        .await
        .unwrap();
    books
        .insert_many([
            doc! { "_id": 1_i64, "title": "A tale of two people", "authors": [1_i64, 2_i64] },
            doc! { "_id": 2_i64, "title": "A tale of two space ships", "authors": [1_i64] },
        ])
        .await
        .unwrap();
}

#[tokio::test]
async fn the_little_book_disagrees_with_itself_once_on_each_side() {
    let db = database().await;
    little_book(&db).await;
    let found = the_schema().verify(&db).await.unwrap();
    let links: Vec<_> = found.derived().map(|link| (link.kind, link.found)).collect();
    assert_eq!(links, [(MaintenanceKind::UnmirroredLink, 1), (MaintenanceKind::LinkOfMirror, 1)]);
    assert_eq!(
        found.to_string(),
        "Book.authors: 1 link that the mirror lacks\n  1 -> 2\n\
         Book.authors: 1 link that only the mirror has\n  2 -> 2"
    );
    let repaired = the_schema().repair(&db, &Throttle::new()).await.unwrap();
    assert_eq!(
        repaired.to_string(),
        "Book.authors: 1 link that the mirror lacks, 1 document written\n\
         Book.authors: 1 link that only the mirror has, 1 document written"
    );
    assert_agree(&db).await;
    assert_eq!(Author::get_by_id(&db, 2).await.unwrap().books, [Ref::new(1_i64)]);
    assert!(the_schema().verify(&db).await.unwrap().is_clean());
    assert_eq!(the_schema().repair(&db, &Throttle::new()).await.unwrap().to_string(), "nothing to repair");
}

#[tokio::test]
async fn the_progress_of_a_repair_is_of_links_too() {
    let db = database().await;
    little_book(&db).await;
    let reported = Arc::new(Mutex::new(Vec::new()));
    let telling = Arc::clone(&reported);
    let throttle = Throttle::new()
        .chunk(1)
        .progress(move |progress| telling.lock().unwrap().push((progress.done, progress.total)));
    the_schema().repair(&db, &throttle).await.unwrap();
    // Two books and two authors, each in a chunk.
    let expected: Vec<(u64, Option<u64>)> = (1..=4).map(|done| (done, Some(4))).collect();
    assert_eq!(*reported.lock().unwrap(), expected);
    assert_agree(&db).await;
}

#[tokio::test]
async fn on_request_the_truth_is_written_as_the_mirrors_say() {
    let db = database().await;
    little_book(&db).await;
    Person::insert_many(&db, (1..=3).map(person)).await.unwrap();
    Task::insert_many(&db, (1..=3).map(task)).await.unwrap();
    let (people, tasks) = (db.collection::<Document>("people"), db.collection::<Document>("tasks"));
    people.update_one(doc! { "_id": 1 }, doc! { "$set": { "tasks": [1_i64, 2_i64] } }).await.unwrap();
    tasks.update_one(doc! { "_id": 3 }, doc! { "$set": { "owner": 2_i64 } }).await.unwrap();
    assert_eq!(the_schema().repair_from_mirrors(&db).await.unwrap(), 5);
    assert_agree(&db).await;
    assert_eq!(Task::get_by_id(&db, 2).await.unwrap().owner, Some(Ref::new(1_i64)));
    assert_eq!(Task::get_by_id(&db, 3).await.unwrap().owner, None);
    assert_eq!(Book::get_by_id(&db, 2).await.unwrap().authors, [Ref::new(1_i64), Ref::new(2_i64)]);
    assert!(the_schema().verify(&db).await.unwrap().is_clean());
}

#[tokio::test]
async fn a_mirror_without_a_place_stays_as_it_is_and_is_named() {
    let db = database().await;
    Author::insert_many(&db, [author(1)]).await.unwrap();
    Book::insert_many(&db, (1..=5).map(|id| book(id, &[1]))).await.unwrap();
    db.collection::<Document>("books")
        .insert_one(doc! { "_id": 6_i64, "title": "", "authors": [1_i64] })
        .await
        .unwrap();
    let repaired = the_schema().repair(&db, &Throttle::new()).await.unwrap();
    assert_eq!(
        repaired.to_string(),
        "Book.authors: 1 link that the mirror lacks, 0 documents written, \
         but for 1 document that the server refused: 6 -> 1"
    );
    // A write of a one-sided link succeeds.
    assert!(Book::AUTHORS.unlink(&db, 6, 1).await.unwrap());
    assert!(Book::delete_by_id(&db, 6).await.unwrap());
    assert_agree(&db).await;
}

/// A search never sees a changing link at a single end.
#[tokio::test]
async fn a_search_beside_writers_finds_nothing() {
    let db = database().await;
    Person::insert_many(&db, (1..=4).map(person)).await.unwrap();
    Task::insert_many(&db, (1..=20).map(task)).await.unwrap();
    let writing = async {
        for round in 0..60_i64 {
            Task::OWNER.reassign(&db, round % 20 + 1, round % 4 + 1).await.unwrap();
        }
    };
    let searching = async {
        for _ in 0..20 {
            let found = the_schema().verify(&db).await.unwrap();
            assert!(found.is_clean(), "{found}");
        }
    };
    futures_util::future::join(writing, searching).await;
}

/// Another program has stored a value that is no reference: the value refers to nothing, and does not stop the repair.
#[tokio::test]
async fn what_is_no_id_is_passed_over() {
    let db = database().await;
    let (tasks, people) = (db.collection::<Document>("tasks"), db.collection::<Document>("people"));
    let owner = |id: i64, owner: Bson| doc! { "_id": id, "text": "task", "owner": owner };
    #[allow(clippy::unnecessary_fallible_conversions, reason = "bson 3 has a string type of its own for these")]
    let pattern = mongodb::bson::Regex { pattern: ".*".try_into().unwrap(), options: "".try_into().unwrap() };
    let odd =
        [doc! { "$oid": "5f0000000000000000000000" }.into(), Bson::RegularExpression(pattern), Bson::from(vec![1_i64])];
    let odd = odd.into_iter().chain([1_i64.into(), Bson::Null, "$name".into()]);
    tasks.insert_many(odd.enumerate().map(|(at, value)| owner(at as i64 + 10, value))).await.unwrap();
    people.insert_one(doc! { "_id": 1_i64, "name": "kate", "tasks": [13_i64] }).await.unwrap();
    let found = the_schema().verify(&db).await.unwrap();
    assert_eq!(found.derived().count(), 1, "{found}");
    the_schema().repair(&db, &Throttle::new()).await.unwrap();
    let found = the_schema().verify(&db).await.unwrap();
    assert_eq!(found.derived().count(), 0, "{found}");
}
