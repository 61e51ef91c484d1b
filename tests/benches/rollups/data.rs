//! The models and the documents: sections of packages, one with 1,000,000 of them, one with 1,000; 2,000 shelves of books.

use std::sync::atomic::{AtomicI64, Ordering};

use schema_runtime::{
    bson::{Document, doc},
    prelude::*,
    schema,
    schema::Schema,
};

pub(crate) const LARGE: i64 = 1;
pub(crate) const SMALL: i64 = 2;
/// Where packages are moved to.
pub(crate) const OTHER: i64 = 3;
/// Whose packages are deleted, and moved.
pub(crate) const DELETED: i64 = 4;
pub(crate) const MOVED: i64 = 5;
pub(crate) const SHELVES: i64 = 2_000;

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
}

pub(crate) const SCHEMA: Schema = schema![Section, Package, Shelf, Book];

pub(crate) struct Data {
    /// Every write is on a majority, on both sides.
    pub(crate) db: Database,
    next: AtomicI64,
}

pub(crate) fn section(id: i64) -> Section {
    Section { id, packages: 0, hits: 0, least: None, greatest: None, largest: Vec::new() }
}

pub(crate) fn package(id: i64, section: i64, bytes: i64) -> Package {
    Package { id, section: Ref::new(section), bytes, hits: 1, name: format!("package {id}") }
}

impl Data {
    pub(crate) async fn store() -> Self {
        let db = schema_tests::database().await;
        let mut options = schema_runtime::mongodb::options::DatabaseOptions::default();
        options.write_concern = Some(schema_runtime::mongodb::options::WriteConcern::majority());
        let db = db.client().database_with_options(db.name(), options);
        SCHEMA.plan(&db).await.expect("a plan").apply(&db).await.expect("the plan applies");
        let sections: Vec<Section> = (1..=5).map(section).collect();
        Section::insert_many(&db, &sections).await.expect("sections");
        let data = Data { db, next: AtomicI64::new(10_000_000) };
        data.fill(LARGE, 0..1_000_000).await;
        data.fill(SMALL, 2_000_000..2_001_000).await;
        data.fill(OTHER, 2_100_000..2_101_000).await;
        let shelves: Vec<Shelf> = (1..=SHELVES).map(|id| Shelf { id, books: 0, pages: 0 }).collect();
        Shelf::insert_many(&data.db, &shelves).await.expect("shelves");
        let books: Vec<Document> =
            (0..100_000_i64).map(|id| doc! { "_id": id, "shelf": 1 + id % SHELVES, "pages": id % 500 }).collect();
        data.db.collection("books").insert_many(books).await.expect("books");
        Section::recompute_all(&data.db).await.expect("a recompute");
        Shelf::recompute_all(&data.db).await.expect("a recompute");
        data
    }

    /// A number that was not used.
    pub(crate) fn another(&self) -> i64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Packages that are written as the driver does.
    async fn fill(&self, section: i64, ids: std::ops::Range<i64>) {
        let packages = self.db.collection::<Document>("packages");
        let all: Vec<i64> = ids.collect();
        for ids in all.chunks(50_000) {
            let package = |id: &i64| doc! { "_id": id, "section": section, "bytes": id % 10_007, "hits": 1_i64, "name": format!("package {id}") };
            packages.insert_many(ids.iter().map(package)).await.expect("packages");
        }
    }

    async fn fill_anew(&self, section: i64, ids: std::ops::Range<i64>) {
        let packages = self.db.collection::<Document>("packages");
        packages.delete_many(doc! { "_id": { "$gte": ids.start, "$lt": ids.end } }).await.expect("a delete");
        self.fill(section, ids).await;
        for section in [section, OTHER] {
            Section::recompute(&self.db, section).await.expect("a recompute");
        }
    }

    pub(crate) async fn fill_deleted(&self) {
        self.fill_anew(DELETED, 3_000_000..3_100_000).await;
    }

    pub(crate) async fn fill_moved(&self) {
        self.fill_anew(MOVED, 4_000_000..4_002_000).await;
    }

    /// What all of this has left is right.
    pub(crate) async fn assert_right(&self) {
        let report = SCHEMA.verify(&self.db).await.expect("a report");
        assert!(report.is_clean(), "{report}");
    }
}
