//! The models and the documents: people with tasks, books with authors and a category of all, a host with many
//! messages.

use std::sync::atomic::{AtomicI64, Ordering};

use schema_runtime::{
    PageToken,
    bson::Document,
    mongodb::options::{DatabaseOptions, WriteConcern},
    prelude::*,
};

pub(crate) const PEOPLE: i64 = 10;
pub(crate) const TASK: i64 = 1;
pub(crate) const BOOK: i64 = 1;
pub(crate) const AUTHOR: i64 = 1;
pub(crate) const CATEGORY: i64 = 1;
pub(crate) const HOST: i64 = 1;
pub(crate) const MOST: usize = 1_000;
const BOOKS: i64 = 500_000;
const LOGS: i64 = 100_000;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "people")]
pub(crate) struct Person {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_many, two_way, of = Task::owner, max = 1_000)]
    pub(crate) tasks: Vec<Ref<Task>>,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "tasks")]
pub(crate) struct Task {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_many, two_way, inverse = tasks)]
    pub(crate) owner: Option<Ref<Person>>,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "authors")]
pub(crate) struct Author {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(many_to_many, two_way, of = Book::authors, max = 1_000)]
    pub(crate) books: Vec<Ref<Book>>,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "categories")]
#[inverse(books = Book::categories, at_most = 500_000)]
pub(crate) struct Category {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "books")]
pub(crate) struct Book {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[bound(max_len = 40)]
    pub(crate) title: String,
    #[relation(many_to_many, two_way, max = 3, inverse = books)]
    pub(crate) authors: Vec<Ref<Author>>,
    #[relation(many_to_many, one_way, max = 3, inverse = books, order = asc(title))]
    pub(crate) categories: Vec<Ref<Category>>,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "hosts")]
#[inverse(logs = Log::host, on_delete = cascade, allow(delete_rule, reason = "what the bench measures"))]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "logs")]
pub(crate) struct Log {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub(crate) host: Ref<Host>,
    pub(crate) time: DateTime,
    #[bound(max_len = 40)]
    pub(crate) message: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = Book)]
pub(crate) struct Title {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
}

pub(crate) struct Data {
    /// The database. A majority has every write, on both sides.
    pub(crate) db: Database,
    pub(crate) category: Category,
    /// The token after the 250,000th book.
    pub(crate) amid: PageToken,
    /// The title and `_id` of the 250,000th book.
    pub(crate) last: (String, i64),
    written: AtomicI64,
}

/// Makes `count` documents on the server, from their number `$n`.
async fn make(db: &Database, count: i64, document: Document, into: &str) {
    let made = db.aggregate([
        doc! { "$documents": [{ "n": { "$range": [0, count] } }] },
        doc! { "$unwind": "$n" },
        doc! { "$set": { "n": { "$toLong": "$n" } } },
        doc! { "$replaceWith": document },
        doc! { "$merge": { "into": into, "whenMatched": "fail" } },
    ]);
    made.await.expect("documents");
}

impl Data {
    pub(crate) async fn store() -> Self {
        let db = schema_tests::database().await;
        let mut options = DatabaseOptions::default();
        options.write_concern = Some(WriteConcern::majority());
        let db = db.client().database_with_options(db.name(), options);
        let schema = schema![Person, Task, Author, Category, Book, Host, Log];
        schema.plan(&db).await.expect("a plan").apply(&db).await.expect("the plan applied");
        let people: Vec<Person> = (0..PEOPLE).map(|id| Person { id, tasks: Vec::new() }).collect();
        Person::insert_many(&db, &people).await.expect("people");
        Task::insert(&db, &Task { id: TASK, owner: Some(Ref::new(0)) }).await.expect("a task");
        Author::insert(&db, &Author { id: AUTHOR, books: Vec::new() }).await.expect("an author");
        let category = Category { id: CATEGORY };
        Category::insert(&db, &category).await.expect("a category");
        let book = doc! {
            "_id": "$n", "title": { "$concat": ["title ", { "$toString": { "$add": ["$n", 1_000_000] } }] },
            "authors": [], "categories": [{ "$literal": CATEGORY }],
        };
        make(&db, BOOKS, book, "books").await;
        // The token belongs to the query: the size of the page and the selected fields are no part of the token.
        let half = category.books().select::<Title>().paginate(BOOKS as u32 / 2).fetch(&db).await.expect("a page");
        let last = half.items.iter().last().expect("a book");
        let last = (last.title.clone(), last.id);
        let amid = half.next.expect("a place");
        Data { db, category, amid, last, written: AtomicI64::new(0) }
    }

    /// Removes the link between the book and the author.
    pub(crate) async fn unlink(&self) {
        let empty = |name: &str| doc! { "$set": { name: [] } };
        let books = self.db.collection::<Document>("books");
        books.update_one(doc! { "_id": BOOK }, empty("authors")).await.expect("an update");
        let authors = self.db.collection::<Document>("authors");
        authors.update_one(doc! { "_id": AUTHOR }, empty("books")).await.expect("an update");
    }

    /// Makes the host with its messages.
    pub(crate) async fn fill_logs(&self) {
        let hosts = self.db.collection::<Document>("hosts");
        hosts.update_one(doc! { "_id": HOST }, doc! { "$set": {} }).upsert(true).await.expect("a host");
        let log = doc! {
            "_id": "$n", "host": { "$literal": HOST }, "time": { "$toDate": "$n" }, "message": "cpu is on fire!",
        };
        make(&self.db, LOGS, log, "logs").await;
    }

    /// Returns a person different from the person before.
    pub(crate) fn another(&self) -> i64 {
        self.written.fetch_add(1, Ordering::Relaxed) % PEOPLE
    }
}
