//! The fold of 100,000 pending differences. The row runs only when the command line names the row.

use std::{collections::BTreeMap, time::Instant};

use schema_runtime::{
    Throttle,
    bson::{Document, doc, oid::ObjectId},
};

use crate::{
    check::LEFT,
    data::{Book, Data, SCHEMA, SHELVES},
    one::book,
    side::Side,
    table::words,
};

const NAME: &str = "fold";
const LEFT_DIFFERENCES: i64 = 100_000;
const FIRST: i64 = 200_000_000;
/// The path of the differences.
const PATH: &str = "books_shelf";

/// # Panics
/// If a parent is wrong afterwards.
pub(crate) async fn run_asked(data: &Data) {
    if !words().iter().any(|word| word == NAME) {
        return;
    }
    for (name, parents) in [("one parent", 1), ("2,000 parents", SHELVES)] {
        prepare(data, parents).await;
        let begun = Instant::now();
        SCHEMA.recover(&data.db, &Throttle::new()).await.expect("a recover");
        let took = begun.elapsed();
        assert!(!data.has_left().await, "differences are left");
        data.assert_right(Side::Ours).await;
        println!("fold of 100,000 left differences of {name}: {took:.2?}");
    }
}

/// Makes books, as the driver writes the books, and a difference for each book.
async fn prepare(data: &Data, parents: i64) {
    data.documents(Side::Ours, "books").delete_many(doc! { "_id": { "$gte": FIRST } }).await.expect("a delete");
    data.settle(Side::Ours).await;
    let made: BTreeMap<i64, i64> = (0..LEFT_DIFFERENCES).map(|at| (FIRST + at, 1 + at % parents)).collect();
    let made: Vec<_> = made.into_iter().map(|(id, shelf)| book(id, shelf)).collect();
    let books = data.db.collection::<Book>(&Side::Ours.of("books"));
    books.insert_many(&made).ordered(false).await.expect("books");
    let left = made.iter().map(|book| {
        doc! {
            "_id": { "path": PATH, "parent": 1 + (book.id - FIRST) % parents, "id": ObjectId::new() }, "count": 1_i64,
            "sums": { "pages": { "plus": [book.pages], "minus": [] } }, "extremes": false,
        }
    });
    data.db.collection::<Document>(LEFT).insert_many(left).ordered(false).await.expect("differences");
}
