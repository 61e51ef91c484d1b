//! The models and the documents: sections of packages with extremes, shelves of books with a count and a sum.

use std::{
    ops::Range,
    sync::atomic::{AtomicI64, Ordering},
};

use schema_runtime::{
    Schema,
    bson::{Document, doc},
    mongodb::{Collection, IndexModel},
    prelude::*,
    schema,
};

use crate::{check::Keeps, link, one::book, side::Side};

pub(crate) const LARGE: i64 = 1;
pub(crate) const SMALL: i64 = 2;
/// The section that packages are moved to.
pub(crate) const OTHER: i64 = 3;
/// The section of the deleted packages.
pub(crate) const DELETED: i64 = 4;

pub(crate) const SHELVES: i64 = 2_000;
/// The number of books at the start.
pub(crate) const BOOKS: i64 = 20_000;
/// A shelf that holds few books between the rows.
pub(crate) const ONE: i64 = SHELVES + 1;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "sections")]
pub(crate) struct Section {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[computed(count(Package::section))]
    pub(crate) packages: i64,
    #[computed(sum(Package::section, hits))]
    pub(crate) hits: i64,
    #[computed(min(Package::section, bytes))]
    pub(crate) least: Option<i64>,
    #[computed(max(Package::section, bytes))]
    pub(crate) greatest: Option<i64>,
    #[subset(of = Package::section, keep = 5, order = desc(bytes))]
    pub(crate) largest: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
pub(crate) struct Line {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) bytes: i64,
    pub(crate) name: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "packages")]
#[index(section, bytes)]
pub(crate) struct Package {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref)]
    pub(crate) section: Ref<Section>,
    pub(crate) bytes: i64,
    pub(crate) hits: i64,
    pub(crate) name: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "shelves")]
pub(crate) struct Shelf {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[computed(count(Book::shelf))]
    pub(crate) books: i64,
    #[computed(sum(Book::shelf, pages))]
    pub(crate) pages: i64,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "books")]
pub(crate) struct Book {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref)]
    pub(crate) shelf: Ref<Shelf>,
    pub(crate) pages: i64,
    pub(crate) name: String,
}

pub(crate) const SCHEMA: Schema = schema![Section, Package, Shelf, Book];

pub(crate) const KEPT: [Keeps; 2] = [
    Keeps {
        children: "books",
        reference: "shelf",
        sum: "pages",
        extreme: "none",
        parents: "shelves",
        names: ["books", "pages", "none", "none"],
    },
    Keeps {
        children: "packages",
        reference: "section",
        sum: "hits",
        extreme: "bytes",
        parents: "sections",
        names: ["packages", "hits", "least", "greatest"],
    },
];

pub(crate) struct Data {
    /// The database. A majority has every write, on all sides.
    pub(crate) db: Database,
    next: AtomicI64,
}

pub(crate) fn package(id: i64, section: i64, bytes: i64) -> Package {
    Package { id, section: Ref::new(section), bytes, hits: 1, name: format!("package {id}") }
}

impl Data {
    pub(crate) async fn store() -> Self {
        let db = link::database(&link::local().await, schema_tests::database().await.name()).await;
        SCHEMA.plan(&db).await.expect("a plan").apply(&db).await.expect("the plan applies");
        let section = |id| Section { id, packages: 0, hits: 0, least: None, greatest: None, largest: Vec::new() };
        Section::insert_many(&db, (LARGE..=DELETED).map(section).collect::<Vec<_>>()).await.expect("sections");
        let shelf = |id| Shelf { id, books: 0, pages: 0 };
        Shelf::insert_many(&db, (1..=ONE).map(shelf).collect::<Vec<_>>()).await.expect("shelves");
        let data = Data { db, next: AtomicI64::new(1 << 40) };
        for side in Side::ALL {
            for (collection, keys) in [("books", doc! { "shelf": 1 }), ("packages", doc! { "section": 1, "bytes": 1 })]
            {
                let index = IndexModel::builder().keys(keys).build();
                if side != Side::Ours {
                    data.documents(side, collection).create_index(index).await.expect("an index");
                }
            }
            data.fill(side, 0..BOOKS, None).await;
            data.fill_packages(side, SMALL, 2_000_000..2_001_000).await;
            data.fill_packages(side, OTHER, 2_100_000..2_101_000).await;
        }
        for side in [Side::Hand, Side::Ours] {
            data.settle(side).await;
            data.settle_section(side, SMALL).await;
            data.settle_section(side, OTHER).await;
        }
        data
    }

    /// Returns an unused number.
    pub(crate) fn another(&self) -> i64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn documents(&self, side: Side, collection: &str) -> Collection<Document> {
        self.db.collection(&side.of(collection))
    }

    /// Makes books with these ids, as the driver writes the books. The books belong to this shelf, or to all shelves in
    /// turn.
    pub(crate) async fn fill(&self, side: Side, ids: Range<i64>, shelf: Option<i64>) {
        let books = self.db.collection::<Book>(&side.of("books"));
        let all: Vec<i64> = ids.collect();
        for ids in all.chunks(50_000) {
            let made: Vec<Book> = ids.iter().map(|id| book(*id, shelf.unwrap_or(1 + id % SHELVES))).collect();
            books.insert_many(made).ordered(false).await.expect("books");
        }
    }

    pub(crate) async fn fill_packages(&self, side: Side, section: i64, ids: Range<i64>) {
        let packages = self.db.collection::<Package>(&side.of("packages"));
        let all: Vec<i64> = ids.collect();
        for ids in all.chunks(50_000) {
            let made: Vec<Package> = ids.iter().map(|id| package(*id, section, 1 + id % 10_007)).collect();
            packages.insert_many(made).ordered(false).await.expect("packages");
        }
    }

    /// Deletes the books that the writers of single books have inserted.
    pub(crate) async fn trim(&self) {
        for side in Side::ALL {
            self.documents(side, "books").delete_many(doc! { "_id": { "$gte": 1_i64 << 32 } }).await.expect("a delete");
            if side != Side::Raw {
                self.settle(side).await;
            }
        }
    }

    /// Sets the shelves of a side to the sums of the side's books, while nobody writes.
    pub(crate) async fn settle(&self, side: Side) {
        let shelves = side.of("shelves");
        let books = self.documents(side, "books");
        let group = doc! { "$group": { "_id": "$shelf", "books": { "$sum": 1_i64 }, "pages": { "$sum": "$pages" } } };
        // A shelf without books is not part of the groups.
        let empty = doc! { "$set": { "books": 0_i64, "pages": 0_i64 } };
        self.documents(side, "shelves").update_many(doc! {}, empty).await.expect("an update");
        let merge = doc! { "$merge": { "into": shelves, "whenMatched": "merge", "whenNotMatched": "insert" } };
        books.aggregate([group, merge]).await.expect("sums");
    }

    /// Sets the section of a side to the sums and extremes of the section's packages, while nobody writes.
    pub(crate) async fn settle_section(&self, side: Side, section: i64) {
        match side {
            Side::Raw => {}
            Side::Hand => crate::packages::read_again(self, section).await,
            Side::Ours => drop(Section::recompute(&self.db, section).await.expect("a recompute")),
        }
    }
}
