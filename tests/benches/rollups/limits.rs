//! The choice of the number of documents in a transaction of a large insert, and of the order of the commands: the time
//! of the insert, and the time of a neighbour's single writes. The driver sends the same commands as the crate: an
//! insert of children, an update of their parents, the commit. The row runs only when the command line names the row.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use schema_runtime::{
    bson::{Document, doc},
    mongodb::{
        ClientSession,
        error::{Result, TRANSIENT_TRANSACTION_ERROR},
    },
};

use crate::{
    data::{Book, Data, SHELVES},
    neighbours,
    one::book,
    side::Side,
    table::{median, percentile, words},
};

const NAME: &str = "limits";
const BOOKS: i64 = 20_000;
const FIRST: i64 = 300_000_000;
const ROUNDS: usize = 3;
/// The conflicts after which an insert counts as not done.
const MOST_CONFLICTS: usize = 100;
/// The tried numbers of documents in a transaction, and the first command of the transaction.
const TRIED: [(usize, First); 6] = [
    (100, First::Children),
    (300, First::Children),
    (1_000, First::Children),
    (1_000, First::Parents),
    (3_000, First::Children),
    (10_000, First::Children),
];
/// The books of a shelf are in sequence, or are spread over all books.
const ORDERS: [(&str, bool); 2] = [("sorted by parent", true), ("not sorted", false)];

/// The documents that the first command of a transaction writes.
#[derive(Clone, Copy, Debug)]
enum First {
    Children,
    Parents,
}

/// # Panics
/// If the server refuses a write.
pub(crate) async fn run_asked(data: &Data) {
    if !words().iter().any(|word| word == NAME) {
        return;
    }
    println!("{BOOKS} inserts of {SHELVES} parents in transactions of so many documents, beside a neighbour");
    for (name, is_sorted) in ORDERS {
        let mut rows = TRIED.map(|tried| (tried, Vec::new(), Vec::new(), Vec::new()));
        for _ in 0..ROUNDS {
            for (tried, micros, waits, conflicts) in &mut rows {
                prepare(data).await;
                let done = Arc::new(AtomicBool::new(false));
                let first = data.another() << 16;
                let neighbour = neighbours::insert(data.db.clone(), Side::Hand, first, None, Arc::clone(&done));
                let neighbour = tokio::spawn(neighbour);
                tokio::time::sleep(Duration::from_millis(100)).await;
                let begun = Instant::now();
                conflicts.push(insert(data, *tried, is_sorted).await);
                micros.push(begun.elapsed().as_secs_f64() * 1e6 / BOOKS as f64);
                done.store(true, Ordering::Relaxed);
                waits.extend(neighbour.await.expect("a neighbour ends"));
            }
        }
        for ((most, first), micros, waits, conflicts) in rows {
            let (micros, p99, longest) = (median(micros), percentile(&waits, 0.99), percentile(&waits, 1.0));
            let note = if conflicts.contains(&MOST_CONFLICTS) { ", not done" } else { "" };
            let conflicts: usize = conflicts.iter().sum();
            println!(
                "limits, {name}, {most:>6} a transaction, {first:?} first: {micros:>6.1} us a document, neighbour p99 {p99:>6.1} ms, \
                 longest {longest:>6.1} ms, {conflicts} conflicts{note}"
            );
        }
    }
    prepare(data).await;
}

async fn prepare(data: &Data) {
    data.documents(Side::Hand, "books").delete_many(doc! { "_id": { "$gte": FIRST } }).await.expect("a delete");
    data.settle(Side::Hand).await;
}

/// Inserts all books, and returns the number of transactions that ended by a conflict.
async fn insert(data: &Data, (most, first): (usize, First), is_sorted: bool) -> usize {
    let shelf = |at: i64| if is_sorted { 1 + at * SHELVES / BOOKS } else { 1 + at % SHELVES };
    let books: Vec<(i64, Book)> = (0..BOOKS).map(|at| (shelf(at), book(FIRST + at, shelf(at)))).collect();
    let mut session = data.db.client().start_session().await.expect("a session");
    let mut conflicts = 0;
    for chunk in books.chunks(most) {
        while conflicts < MOST_CONFLICTS
            && let Err(error) = insert_chunk(data, &mut session, chunk, first).await
        {
            assert!(error.contains_label(TRANSIENT_TRANSACTION_ERROR), "{error}");
            conflicts += 1;
            // The server may have ended the transaction already.
            let _ = session.abort_transaction().await;
        }
    }
    conflicts
}

async fn insert_chunk(data: &Data, session: &mut ClientSession, chunk: &[(i64, Book)], first: First) -> Result<()> {
    let mut changes = BTreeMap::<i64, [i64; 2]>::new();
    for (shelf, book) in chunk {
        let [books, pages] = changes.entry(*shelf).or_default();
        (*books, *pages) = (*books + 1, *pages + book.pages);
    }
    let updates = changes.into_iter().map(|(shelf, [books, pages])| {
        doc! { "q": { "_id": shelf }, "u": { "$inc": { "books": books, "pages": pages } } }
    });
    let update = doc! { "update": "hand_shelves", "updates": updates.collect::<Vec<_>>() };
    session.start_transaction().await?;
    if let First::Parents = first {
        change_parents(data, session, update.clone()).await?;
    }
    let books = data.db.collection::<Book>("hand_books");
    books.insert_many(chunk.iter().map(|(_, book)| book)).session(&mut *session).await?;
    if let First::Children = first {
        change_parents(data, session, update).await?;
    }
    session.commit_transaction().await
}

async fn change_parents(data: &Data, session: &mut ClientSession, update: Document) -> Result<()> {
    let answer = data.db.run_command(update).session(session).await?;
    assert!(!answer.contains_key("writeErrors"), "{answer}");
    Ok(())
}
