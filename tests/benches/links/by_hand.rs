//! The code of a user of the driver: a transaction with an equal bound, a single raw `deleteMany`, an equal `find`.

use futures_util::TryStreamExt;
use schema_runtime::{
    bson::{Bson, Document, doc},
    mongodb::{
        ClientSession,
        options::{ReadConcern, WriteConcern},
    },
};

use crate::data::{AUTHOR, BOOK, Book, CATEGORY, Data, HOST, MOST, TASK};

async fn begin(data: &Data) -> ClientSession {
    let mut session = data.db.client().start_session().await.expect("a session");
    let begun = session.start_transaction().read_concern(ReadConcern::snapshot());
    begun.write_concern(WriteConcern::majority()).await.expect("a transaction");
    session
}

/// Returns an update that adds the id to the array at `path`, if the array has capacity.
fn add(document: i64, path: &str, id: i64) -> Document {
    let is_free = doc! { format!("{path}.{}", MOST - 1): { "$exists": false } };
    let filter = doc! { "_id": document, "$or": [{ path: id }, is_free] };
    doc! { "q": filter, "u": { "$addToSet": { path: id } } }
}

pub(crate) async fn reassign(data: &Data) -> u64 {
    let owner = data.another();
    let mut session = begin(data).await;
    let tasks = data.db.collection::<Document>("tasks");
    let set = doc! { "$set": { "owner": owner } };
    let task = tasks.find_one_and_update(doc! { "_id": TASK }, set).projection(doc! { "owner": 1 });
    let task = task.session(&mut session).await.expect("an update").expect("the task");
    let before = task.get_i64("owner").expect("an owner");
    let remove = doc! { "q": { "_id": before }, "u": { "$pull": { "tasks": TASK } } };
    let update = doc! { "update": "people", "updates": [remove, add(owner, "tasks", TASK)] };
    let written = data.db.run_command(update).session(&mut session).await.expect("an update");
    assert_eq!(written.get_i32("n").expect("a count"), 2);
    session.commit_transaction().await.expect("a commit");
    u64::from(before != owner)
}

pub(crate) async fn link(data: &Data) -> u64 {
    let mut session = begin(data).await;
    let books = data.db.collection::<Document>("books");
    let with_place = doc! { "_id": BOOK, "$or": [{ "authors": AUTHOR }, { "authors.2": { "$exists": false } }] };
    let book = books.find_one_and_update(with_place, doc! { "$addToSet": { "authors": AUTHOR } });
    let book = book.projection(doc! { "authors": 1 }).session(&mut session).await.expect("an update").expect("a place");
    let update = doc! { "update": "authors", "updates": [add(AUTHOR, "books", BOOK)] };
    let written = data.db.run_command(update).session(&mut session).await.expect("an update");
    assert_eq!(written.get_i32("n").expect("a count"), 1);
    session.commit_transaction().await.expect("a commit");
    u64::from(book.get_array("authors").expect("authors").is_empty())
}

pub(crate) async fn cascade(data: &Data) -> u64 {
    let logs = data.db.collection::<Document>("logs");
    logs.delete_many(doc! { "host": HOST }).await.expect("a delete");
    let hosts = data.db.collection::<Document>("hosts");
    hosts.delete_one(doc! { "_id": HOST }).await.expect("a delete").deleted_count
}

pub(crate) async fn first_page(data: &Data) -> u64 {
    page(data, doc! { "categories": CATEGORY }).await
}

/// Reads the page after the last book of a page, also when several books have the same title.
pub(crate) async fn deep_page(data: &Data) -> u64 {
    let (title, id) = &data.last;
    let beyond = [doc! { "title": { "$gt": title } }, doc! { "title": title, "_id": { "$gt": id } }];
    page(data, doc! { "categories": CATEGORY, "$or": beyond.to_vec() }).await
}

/// Reads the same page, without skipping titles of another type: the sort does not skip these titles.
pub(crate) async fn deep_page_of_any_type(data: &Data) -> u64 {
    let (title, id) = &data.last;
    let beyond = |field: &str, value: Bson| doc! { "$expr": { "$gt": [field, { "$literal": value }] } };
    let mut same = beyond("$_id", Bson::from(*id));
    same.insert("title", title);
    let beyond = vec![beyond("$title", Bson::from(title)), same];
    page(data, doc! { "categories": CATEGORY, "$or": beyond }).await
}

async fn page(data: &Data, filter: Document) -> u64 {
    let books = data.db.collection::<Book>("books");
    let found = books.find(filter).sort(doc! { "title": 1, "_id": 1 }).limit(51).batch_size(52).await.expect("a read");
    let found: Vec<Book> = found.try_collect().await.expect("books");
    found.iter().take(50).map(|book| book.id as u64).sum()
}
