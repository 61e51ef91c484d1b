//! Many to many by a single array: the far side reads the documents in the relation's order, by the relation's index.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{
    assert_indexed,
    explain::{Explain, problems},
    prelude::*,
    schema,
};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[relation(many_to_many, one_way, max = 3, inverse = books, order = asc(title))]
    categories: Vec<Ref<Category>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "categories")]
#[inverse(books = Book::categories, at_most = 500_000)]
struct Category {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

fn category(id: i64) -> Category {
    Category { id, name: format!("category {id}") }
}

/// Returns a book. The titles have another order than the `_id`s.
fn book(id: i64, categories: &[i64]) -> Book {
    let title = format!("title {:04}", id * 7_919 % 10_000);
    Book { id, title, categories: categories.iter().map(|id| Ref::new(*id)).collect() }
}

/// Inserts 600 books, each with two successive categories of 40.
async fn library(db: &Database) -> Vec<Book> {
    schema![Category, Book].plan(db).await.unwrap().apply(db).await.unwrap();
    Category::insert_many(db, (0..=40).map(category)).await.unwrap();
    let books: Vec<Book> = (0..600).map(|id| book(id, &[id % 40, id % 40 + 1])).collect();
    Book::insert_many(db, &books).await.unwrap();
    books
}

/// Returns the ids of the books of a category, by title.
fn expected(books: &[Book], category: i64) -> Vec<i64> {
    let mut of: Vec<&Book> = books.iter().filter(|book| book.categories.contains(&Ref::new(category))).collect();
    of.sort_by_key(|book| (book.title.clone(), book.id));
    of.iter().map(|book| book.id).collect()
}

#[tokio::test]
async fn the_index_holds_the_order() {
    let db = database().await;
    library(&db).await;
    let indexes = db.collection::<Document>("books").list_index_names().await.unwrap();
    assert_eq!(indexes, ["_id_", "categories_1_title_1__id_1"]);
}

#[tokio::test]
async fn the_far_side_is_read_in_pages_by_the_index() {
    let (db, log) = database_with_log().await;
    let books = library(&db).await;
    let one = category(1);
    let right = expected(&books, 1);
    let ids = |found: Vec<Book>| found.into_iter().map(|book| book.id).collect::<Vec<_>>();
    assert_eq!(ids(one.books().fetch_all(&db).await.unwrap().complete().unwrap().into_iter().collect()), right);
    log.clear();
    let (mut seen, mut token) = (Vec::new(), None);
    loop {
        let page = one.books().paginate(7).after(&token).fetch(&db).await.unwrap();
        seen.extend(ids(page.items.complete().unwrap().into_iter().collect()));
        token = page.next;
        if token.is_none() {
            break;
        }
        assert_indexed(&one.books().paginate(7).after(&token), &db).await;
        // Near the first page, the server may walk through the entries before the page.
        assert_examined(&one.books().paginate(7).after(&token), &db, 16).await;
    }
    assert_eq!(seen, right);
    let latest = one.books().first(5);
    assert_eq!(ids(latest.clone().fetch_all(&db).await.unwrap().complete().unwrap().into_iter().collect()), right[..5]);
    assert_indexed(&latest, &db).await;
    assert_examined(&latest, &db, 5).await;
    assert_indexed(&one.books().paginate(7).last(), &db).await;
}

#[tokio::test]
async fn a_deep_page_costs_what_the_first_does() {
    let db = database().await;
    schema![Category, Book].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Book::insert_many(&db, (0..2_000).map(|id| book(id, &[id % 2, 2]))).await.unwrap();
    let two = category(2);
    let deep = two.books().paginate(1_900).fetch(&db).await.unwrap();
    assert_examined(&two.books().paginate(7).after(&deep.next), &db, 9).await;
    assert_examined(&two.books().paginate(7).before(&deep.next), &db, 9).await;
}

/// Checks that a query reads at most `most` keys.
async fn assert_examined(query: &impl Explain, db: &Database, most: i64) {
    let plan = query.explain(db).await.unwrap();
    let stats = plan.get_document("executionStats").unwrap();
    let examined = match stats.get("totalKeysExamined") {
        Some(Bson::Int32(keys)) => i64::from(*keys),
        Some(Bson::Int64(keys)) => *keys,
        other => panic!("{other:?}"),
    };
    assert!(examined <= most, "{examined} keys, at most {most}: {plan}");
}

#[tokio::test]
async fn those_of_many_are_each_in_order_and_merged_by_the_index() {
    let (db, log) = database_with_log().await;
    let books = library(&db).await;
    let categories: Vec<Category> = (0..=40).map(category).collect();
    log.clear();
    let loaded = Category::BOOKS.load(&db, &categories).await.unwrap();
    let sent = log.named("find");
    assert_eq!(sent.len(), 1);
    let find = doc! { "find": "books", "filter": sent[0].get_document("filter").unwrap(), "sort": sent[0].get_document("sort").unwrap() };
    let plan = db.run_command(doc! { "explain": find, "verbosity": "executionStats" }).await.unwrap();
    assert_eq!(problems(&plan), [], "{plan}");
    let first = Category::BOOKS.first(3).load(&db, &categories).await.unwrap();
    for category in &categories {
        let right = expected(&books, category.id);
        let ids: Vec<i64> = loaded.of(category).iter().map(|book| book.id).collect();
        assert_eq!(ids, right);
        let ids: Vec<i64> = first.of(category).iter().map(|book| book.id).collect();
        assert_eq!(ids, right[..3]);
    }
    assert_eq!(problems(&Category::BOOKS.first(3).explain(&db, &categories[..5]).await.unwrap()), []);
}

#[tokio::test]
async fn link_and_unlink_write_the_one_array() {
    let (db, log) = database_with_log().await;
    library(&db).await;
    log.clear();
    assert!(Book::CATEGORIES.link(&db, 0, 20).await.unwrap());
    assert!(!Book::CATEGORIES.link(&db, 0, 20).await.unwrap());
    assert!(Book::CATEGORIES.unlink(&db, 0, 1).await.unwrap());
    assert!(Book::CATEGORIES.set(&db, 1, [5_i64, 6]).await.unwrap());
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["findAndModify"; 4]);
    let ids = |book: Book| book.categories.iter().map(|category| *category.id()).collect::<Vec<_>>();
    assert_eq!(ids(Book::get_by_id(&db, 0).await.unwrap()), [0, 20]);
    assert_eq!(ids(Book::get_by_id(&db, 1).await.unwrap()), [5, 6]);
}
