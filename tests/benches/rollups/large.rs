//! Writes of many books, on each side.

use std::{collections::BTreeMap, ops::Range};

use futures_util::TryStreamExt;
use schema_runtime::{
    bson::{Bson, Document, doc},
    prelude::*,
};

use crate::{
    data::{Book, Data, ONE, SHELVES},
    one::book,
    side::Side,
};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Insert,
    Increment,
    Delete,
}

/// A write of many books, of a single shelf or of all shelves.
#[derive(Clone, Copy)]
pub(crate) struct Large {
    pub(crate) act: Act,
    pub(crate) books: i64,
    pub(crate) shelf: Option<i64>,
}

/// The first id of the written books.
const FIRST: i64 = 10_000_000;

impl Large {
    pub(crate) const fn of_all(act: Act, books: i64) -> Self {
        Large { act, books, shelf: None }
    }

    pub(crate) const fn of_one(act: Act, books: i64) -> Self {
        Large { act, books, shelf: Some(ONE) }
    }

    fn ids(self) -> Range<i64> {
        FIRST..FIRST + self.books
    }

    /// Prepares the books of the side. No client writes meanwhile.
    pub(crate) async fn prepare(self, data: &Data, side: Side) {
        let written = doc! { "_id": { "$gte": FIRST, "$lt": FIRST * 10 } };
        data.documents(side, "books").delete_many(written).await.expect("a delete");
        if self.act != Act::Insert {
            data.fill(side, self.ids(), self.shelf).await;
        }
        if side != Side::Raw {
            data.settle(side).await;
        }
    }

    /// Inserts books without an order: the crate sorts the books by shelf.
    pub(crate) async fn run_unordered(self, data: &Data, side: Side) -> u64 {
        if side != Side::Ours {
            return self.insert(data, side).await;
        }
        let bulk = Book::bulk().unordered().insert_many(self.books());
        bulk.execute(&data.db).await.expect("a bulk").complete().expect("all of it").inserted
    }

    /// Returns the books that the write inserts.
    fn books(self) -> Vec<Book> {
        self.ids().map(|id| book(id, self.shelf_of(id))).collect()
    }

    fn shelf_of(self, id: i64) -> i64 {
        self.shelf.unwrap_or(1 + id % SHELVES)
    }

    pub(crate) async fn run(self, data: &Data, side: Side) -> u64 {
        match (self.act, side) {
            (Act::Insert, _) => self.insert(data, side).await,
            (Act::Increment, Side::Ours) => {
                Book::update_many(self.filter())
                    .inc(Book::F.pages, 1)
                    .execute(&data.db)
                    .await
                    .expect("an update")
                    .matched
            }
            (Act::Delete, Side::Ours) => Book::delete_many(&data.db, self.filter()).await.expect("a delete"),
            (_, Side::Raw) => self.change(data, side).await,
            (_, Side::Hand) => {
                let sums = self.sums(data).await;
                let changed = self.change(data, side).await;
                let change = |(shelf, [books, pages]): (i64, [i64; 2])| match self.act {
                    Act::Delete => (shelf, [-books, -pages]),
                    _ => (shelf, [0, books]),
                };
                change_shelves(data, sums.into_iter().map(change).collect()).await;
                changed
            }
        }
    }

    fn filter(self) -> Filter<Book> {
        match self.shelf {
            Some(shelf) => Book::F.shelf.eq(Ref::new(shelf)),
            None => Book::F.id.gte(FIRST).and(Book::F.id.lt(FIRST + self.books)),
        }
    }

    fn raw_filter(self) -> Document {
        match self.shelf {
            Some(shelf) => doc! { "shelf": shelf },
            None => doc! { "_id": { "$gte": FIRST, "$lt": FIRST + self.books } },
        }
    }

    async fn insert(self, data: &Data, side: Side) -> u64 {
        let books = self.books();
        if side == Side::Ours {
            Book::insert_many(&data.db, &books).await.expect("an insert");
            return books.len() as u64;
        }
        let inserted = data.db.collection::<Book>(&side.of("books")).insert_many(&books).ordered(false).await;
        if side == Side::Hand {
            let mut sums = BTreeMap::<i64, [i64; 2]>::new();
            for book in &books {
                let sum = sums.entry(self.shelf_of(book.id)).or_default();
                *sum = [sum[0] + 1, sum[1] + book.pages];
            }
            change_shelves(data, sums).await;
        }
        inserted.expect("an insert").inserted_ids.len() as u64
    }

    async fn change(self, data: &Data, side: Side) -> u64 {
        let books = data.documents(side, "books");
        match self.act {
            Act::Delete => books.delete_many(self.raw_filter()).await.expect("a delete").deleted_count,
            _ => {
                let change = doc! { "$inc": { "pages": 1_i64 } };
                books.update_many(self.raw_filter(), change).await.expect("an update").matched_count
            }
        }
    }

    /// By hand: returns the count and the pages of the changed books, for each shelf.
    async fn sums(self, data: &Data) -> BTreeMap<i64, [i64; 2]> {
        let group = doc! { "$group": { "_id": "$shelf", "books": { "$sum": 1_i64 }, "pages": { "$sum": "$pages" } } };
        let books = data.documents(Side::Hand, "books");
        let groups = books.aggregate([doc! { "$match": self.raw_filter() }, group]).await.expect("sums");
        let groups: Vec<Document> = groups.try_collect().await.expect("sums");
        let number = |group: &Document, name: &str| group.get_i64(name).expect("a number");
        groups.iter().map(|group| (number(group, "_id"), ["books", "pages"].map(|name| number(group, name)))).collect()
    }
}

/// By hand: a single command changes the shelves.
async fn change_shelves(data: &Data, changes: BTreeMap<i64, [i64; 2]>) {
    let update = |(shelf, [books, pages]): (i64, [i64; 2])| {
        doc! { "q": { "_id": shelf }, "u": { "$inc": { "books": books, "pages": pages } } }
    };
    command(data, "hand_shelves", changes.into_iter().map(update).collect()).await;
}

async fn command(data: &Data, collection: &str, updates: Vec<Document>) {
    let update =
        doc! { "update": collection, "updates": updates, "ordered": false, "writeConcern": { "w": "majority" } };
    let answer = data.db.run_command(update).await.expect("updates");
    assert!(!answer.contains_key("writeErrors"), "{answer}");
}

const BULK: i64 = 300;

/// Sets new pages for each of 300 books, in a single bulk.
pub(crate) async fn bulk(data: &Data, side: Side) -> u64 {
    let pages: BTreeMap<i64, i64> = (0..BULK).map(|id| (id, 1_000 + data.another() % 1_000_000)).collect();
    if side == Side::Ours {
        let mut bulk = Book::bulk();
        for (id, pages) in &pages {
            bulk = bulk.update(Book::update_by_id(*id).set(Book::F.pages, *pages));
        }
        bulk.unordered().execute(&data.db).await.expect("a bulk").complete().expect("all of it");
        return pages.len() as u64;
    }
    let mut changes = BTreeMap::<i64, [i64; 2]>::new();
    if side == Side::Hand {
        let ids: Vec<Bson> = pages.keys().map(|id| Bson::Int64(*id)).collect();
        let books = data.db.collection::<Book>("hand_books").find(doc! { "_id": { "$in": ids } }).await;
        let books: Vec<Book> = books.expect("a read").try_collect().await.expect("books");
        for book in books {
            changes.entry(1 + book.id % SHELVES).or_default()[1] += pages[&book.id] - book.pages;
        }
    }
    let update = |(id, pages): (&i64, &i64)| doc! { "q": { "_id": id }, "u": { "$set": { "pages": pages } } };
    command(data, &side.of("books"), pages.iter().map(update).collect()).await;
    if side == Side::Hand {
        change_shelves(data, changes).await;
    }
    pages.len() as u64
}
