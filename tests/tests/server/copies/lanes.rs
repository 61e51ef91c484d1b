//! Concurrent updates by `_id` of sources with a bounded fan-out share transactions with their copies.

use futures_util::{FutureExt, future::join_all};
use mongodb::bson::{Document, doc};
use schema_runtime::{
    Error, finish_writes,
    local::{Server, Topology},
    prelude::*,
    schema,
};
use schema_tests::{CommandLog, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    #[changes(seldom)]
    #[copied_to(Book::author_name, fan_out = 20)]
    name: String,
    #[index(unique)]
    code: String,
    #[relation(one_to_squillions, parent_ref)]
    city: Ref<City>,
    points: i64,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    author: Ref<Author>,
    #[denormalize(from = author.name)]
    author_name: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "cities")]
#[inverse(authors = Author::city)]
struct City {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(sum(Author::city, points))]
    points: i64,
}

/// The number of authors, each of two books.
const AUTHORS: i64 = 60;

async fn fill(db: &Database) {
    schema![Author, Book, City].plan(db).await.unwrap().apply(db).await.unwrap();
    City::insert(db, &City { id: 1, points: 0 }).await.unwrap();
    let author = |id| Author { id, name: "old".to_owned(), code: format!("code {id}"), city: Ref::new(1), points: 0 };
    Author::insert_many(db, (0..AUTHORS).map(author)).await.unwrap();
    let book = |id| Book { id, author: Ref::new(id % AUTHORS), author_name: String::new() };
    Book::insert_many(db, (0..2 * AUTHORS).map(book)).await.unwrap();
    finish_writes(db).await;
}

async fn prepare() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    fill(&db).await;
    log.clear();
    (db, log)
}

/// Compares each book with its author, the city with the authors, and finds no mark.
async fn assert_right(db: &Database) {
    finish_writes(db).await;
    let (mut authors, mut points) = (std::collections::HashMap::new(), 0);
    for author in Author::find(Filter::all()).fetch_all(db).await.unwrap() {
        points += author.points;
        authors.insert(author.id, author.name);
    }
    for book in Book::find(Filter::all()).fetch_all(db).await.unwrap() {
        assert_eq!(book.author_name, authors[book.author.id()], "book {}", book.id);
    }
    assert_eq!(City::get_by_id(db, 1).await.unwrap().points, points);
    for collection in ["authors", "books"] {
        let documents = db.collection::<Document>(collection);
        let mut marked = documents.find(doc! {}).await.unwrap();
        while marked.advance().await.unwrap() {
            let document = marked.deserialize_current().unwrap();
            assert!(!document.keys().any(|name| name.starts_with("_sync_")), "{document}");
        }
    }
    assert!(schema![Author, Book, City].verify(db).await.unwrap().is_clean());
}

#[tokio::test]
async fn many_updates_are_few_transactions() {
    let (db, log) = prepare().await;
    let rename = async |id: i64| {
        let update = Author::update_by_id(id).set(Author::F.name, format!("new {id}"));
        update.execute(&db).await.unwrap()
    };
    for updated in join_all((0..AUTHORS).map(rename)).await {
        assert_eq!((updated.matched, updated.modified), (1, 1));
    }
    // An author writes at most 21 documents, and a transaction at most 1,000.
    let commits = log.named("commitTransaction").len();
    assert!((2..=4).contains(&commits), "{commits} transactions for {AUTHORS} updates");
    assert_eq!(Book::get_by_id(&db, 7).await.unwrap().author_name, "new 7");
    assert_right(&db).await;
}

/// The author 70 is missing, and the author 9 takes the code of the author 8.
#[tokio::test]
async fn each_update_has_its_own_outcome() {
    let (db, _) = prepare().await;
    let rename = async |id: i64| {
        let update = Author::update_by_id(if id == 20 { 70 } else { id }).set(Author::F.name, format!("new {id}"));
        let update = if id == 9 { update.set(Author::F.code, "code 8") } else { update };
        update.execute(&db).await
    };
    for (id, outcome) in join_all((0..40).map(rename)).await.into_iter().enumerate() {
        match (id, outcome) {
            (20, Err(Error::NotFound { .. })) | (9, Err(Error::DuplicateKey { .. })) => {}
            (20 | 9, other) => panic!("{id}: {other:?}"),
            (_, outcome) => assert_eq!(outcome.unwrap().matched, 1),
        }
    }
    assert_eq!(Author::get_by_id(&db, 9).await.unwrap().name, "old");
    assert_right(&db).await;
}

/// Updates of one author do not share a transaction, and do not conflict.
#[tokio::test]
async fn updates_of_one_author() {
    let (db, log) = prepare().await;
    let rename = async |at: i64| Author::update_by_id(3).set(Author::F.name, format!("name {at}")).execute(&db).await;
    for updated in join_all((0..20).map(rename)).await {
        updated.unwrap();
    }
    assert_eq!(log.named("commitTransaction").len(), 20);
    assert!(log.named("abortTransaction").is_empty());
    assert_right(&db).await;
}

/// Some updates also change a number that the city sums up, and some updates change the number alone.
#[tokio::test]
async fn updates_of_copies_and_of_sums() {
    let (db, log) = prepare().await;
    let change = async |id: i64| {
        let update = Author::update_by_id(id);
        let update = match id % 3 {
            0 => update.inc(Author::F.points, 1),
            1 => update.set(Author::F.name, format!("new {id}")),
            _ => update.set(Author::F.name, format!("new {id}")).inc(Author::F.points, 10),
        };
        update.execute(&db).await.unwrap()
    };
    join_all((0..AUTHORS).map(change)).await;
    let commits = log.named("commitTransaction").len();
    assert!(commits <= 6, "{commits} transactions for {AUTHORS} updates");
    assert_eq!(City::get_by_id(&db, 1).await.unwrap().points, 20 + 200);
    assert_right(&db).await;
}

/// Books are inserted and move to another author beside the updates of the authors.
#[tokio::test]
async fn holders_that_come_and_go_beside_the_updates() {
    let (db, _) = prepare().await;
    let work = (0..90_i64).map(|at| {
        let db = &db;
        let id = at % AUTHORS;
        async move {
            match at % 3 {
                0 => drop(Author::update_by_id(id).set(Author::F.name, format!("{at}")).execute(db).await.unwrap()),
                1 => {
                    let book = Book { id: 1_000 + at, author: Ref::new(id - 1), author_name: String::new() };
                    Book::insert(db, &book).await.unwrap();
                }
                _ => drop(Book::update_by_id(at).set(Book::F.author, Ref::new(id - 2)).execute(db).await.unwrap()),
            }
        }
    });
    join_all(work).await;
    assert_right(&db).await;
}

/// Callers hang up after the first poll: each update is done with its copies, or has not begun.
#[tokio::test]
async fn callers_that_hang_up() {
    let (db, _) = prepare().await;
    for id in 0..AUTHORS {
        let update = Author::update_by_id(id).set(Author::F.name, format!("new {id}"));
        let mut update = Box::pin(update.execute(&db));
        assert!((&mut update).now_or_never().is_none());
    }
    finish_writes(&db).await;
    assert_right(&db).await;
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: i64,
    #[changes(seldom)]
    #[copied_to(Tool::maker_name, fan_out = 20)]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "tools")]
struct Tool {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    maker: Ref<Maker>,
    #[denormalize(from = maker.name)]
    maker_name: String,
}

/// A standalone server has no transactions: the copies follow after the updates.
#[tokio::test]
async fn a_standalone_server() {
    let server = Server::builder().own(true).topology(Topology::Standalone).start().await.unwrap();
    let db = server.client().await.unwrap().database("lanes");
    Maker::insert_many(&db, (0..10).map(|id| Maker { id, name: "old".to_owned() })).await.unwrap();
    let tool = |id| Tool { id, maker: Ref::new(id), maker_name: String::new() };
    Tool::insert_many(&db, (0..10).map(tool)).await.unwrap();
    let rename = async |id: i64| Maker::update_by_id(id).set(Maker::F.name, format!("new {id}")).execute(&db).await;
    for updated in join_all((0..10).map(rename)).await {
        assert_eq!(updated.unwrap().matched, 1);
    }
    finish_writes(&db).await;
    for tool in Tool::find(Filter::all()).fetch_all(&db).await.unwrap() {
        assert_eq!(tool.maker_name, format!("new {}", tool.id));
    }
}
