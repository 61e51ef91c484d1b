//! Writes of a single child of a shelf, on each side.

use schema_runtime::{
    bson::{Document, doc},
    prelude::*,
};

use crate::{
    data::{BOOKS, Book, SHELVES},
    side::Side,
};

pub(crate) fn book(id: i64, shelf: i64) -> Book {
    Book { id, shelf: Ref::new(shelf), pages: 100 + id % 977, name: "a book, as every other one".to_owned() }
}

pub(crate) async fn insert(db: &Database, side: Side, id: i64, shelf: i64) {
    let book = book(id, shelf);
    match side {
        Side::Ours => Book::insert(db, &book).await.expect("an insert"),
        Side::Raw | Side::Hand => {
            db.collection::<Book>(&side.of("books")).insert_one(&book).await.expect("an insert");
        }
    }
    if side == Side::Hand {
        let change = doc! { "$inc": { "books": 1_i64, "pages": book.pages } };
        db.collection::<Document>("hand_shelves").update_one(doc! { "_id": shelf }, change).await.expect("an update");
    }
}

/// Increments the pages of a book from the first documents.
pub(crate) async fn increment(db: &Database, side: Side, id: i64) {
    let (id, shelf) = (id % BOOKS, 1 + id % BOOKS % SHELVES);
    if side == Side::Ours {
        let updated = Book::update_by_id(id).inc(Book::F.pages, 1).execute(db).await.expect("an update");
        return assert_eq!(updated.matched, 1);
    }
    let change = || doc! { "$inc": { "pages": 1_i64 } };
    let books = db.collection::<Document>(&side.of("books"));
    assert_eq!(books.update_one(doc! { "_id": id }, change()).await.expect("an update").matched_count, 1);
    if side == Side::Hand {
        db.collection::<Document>("hand_shelves").update_one(doc! { "_id": shelf }, change()).await.expect("an update");
    }
}
