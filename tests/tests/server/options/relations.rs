//! Options of reads that follow relations: the comment, the time limit and the concerns are for each command; a hint is
//! for the documents that a lookup begins with.

use std::time::Duration;

use mongodb::{
    bson::doc,
    options::{ReadConcern, ReadPreference},
};
use schema_runtime::{Error, OperationOptions, prelude::*};
use schema_tests::{CommandLog, database_with_log};

use super::{names, without_case};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "authors")]
#[inverse(books = Book::author)]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    #[index(name = "by_name")]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "books")]
#[query(titled(title), hint = "by_title")]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    #[index(name = "by_title")]
    title: String,
    #[relation(one_to_many, parent_ref)]
    author: Ref<Author>,
    #[relation(one_to_few, embed, max = 5)]
    notes: Vec<Note>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Note {
    text: String,
}

/// A tree.
#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "folders")]
struct Folder {
    #[serde(rename = "_id")]
    id: i64,
    #[tree(parent, max_depth = 5)]
    parent: Option<Ref<Folder>>,
    #[tree(path)]
    path: TreePath<Folder>,
}

fn along() -> OperationOptions {
    OperationOptions::new()
        .comment("relation")
        .max_time(Duration::from_secs(40))
        .read_concern(ReadConcern::majority())
        .read_preference(ReadPreference::PrimaryPreferred { options: Default::default() })
}

/// Asserts that each command has the options, and neither a hint nor a collation.
fn assert_along(log: &CommandLog, expected: &[&str]) {
    let commands = log.commands();
    assert_eq!(names(&commands), expected);
    for (name, command) in &commands {
        assert_eq!(command.get_str("comment").ok(), Some("relation"), "{name}");
        assert_eq!(command.get_document("readConcern").ok(), Some(&doc! { "level": "majority" }), "{name}");
        assert!(command.contains_key("maxTimeMS"), "{name}");
        assert!(!command.contains_key("hint") && !command.contains_key("collation"), "{name}");
    }
    log.clear();
}

async fn books_with_log() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema![Author, Book].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let notes = vec![Note { text: "good".to_owned() }];
    for id in [1, 2] {
        Author::insert(&db, &Author { id, name: format!("author {id}") }).await.unwrap();
        let book = Book { id, title: format!("book {id}"), author: Ref::new(id), notes: notes.clone() };
        Book::insert(&db, &book).await.unwrap();
    }
    log.clear();
    (db, log)
}

#[tokio::test]
async fn reads_of_relations_have_the_options_of_the_executor() {
    let (db, log) = books_with_log().await;
    let books = Book::find(Filter::all()).fetch_all(&db).await.unwrap();
    let author = Author::get_by_id(&db, 1).await.unwrap();
    log.clear();
    // A hint and a collation of the executor are for reads of a filter.
    let db = db.with(along().collation(without_case()).hint("by_name"));
    assert_eq!(Book::AUTHOR.load(&db, &books).await.unwrap().of(&books[0]).len(), 1);
    assert_eq!(Book::AUTHOR.of(&books[0]).fetch_one(&db).await.unwrap(), author);
    assert!(Book::AUTHOR.of(&books[0]).exists(&db).await.unwrap());
    assert_along(&log, &["find", "find", "find"]);
    assert_eq!(Author::BOOKS.of(&author).fetch_all(&db).await.unwrap().len(), 1);
    assert_eq!(Author::BOOKS.of(&author).count(&db).await.unwrap(), 1);
    assert_eq!(Author::BOOKS.of(&author).paginate(5).fetch(&db).await.unwrap().items.len(), 1);
    assert_eq!(Author::BOOKS.load(&db, [&author]).await.unwrap().of(&author).len(), 1);
    assert_along(&log, &["find", "aggregate", "find", "find"]);
    assert_eq!(Book::NOTES.find(|note| note.text.eq("good")).fetch_all(&db).await.unwrap().len(), 2);
    assert_along(&log, &["aggregate"]);
}

#[tokio::test]
async fn reads_of_relations_have_options_of_their_own() {
    let (db, log) = books_with_log().await;
    let author = Author::get_by_id(&db, 1).await.unwrap();
    log.clear();
    let children = || Author::BOOKS.of(&author).options(&along());
    children().fetch_all(&db).await.unwrap();
    children().first(1).fetch_all(&db).await.unwrap();
    Author::BOOKS.of(&author).paginate(5).options(&along()).fetch(&db).await.unwrap();
    assert_along(&log, &["find", "find", "find"]);
    Book::NOTES.find(|note| note.text.eq("good")).options(&along()).fetch_all(&db).await.unwrap();
    assert_along(&log, &["aggregate"]);
    for options in [OperationOptions::new().hint("author_1__id_-1"), OperationOptions::new().collation(without_case())]
    {
        let read = Author::BOOKS.of(&author).options(&options).fetch_all(&db).await;
        assert!(matches!(read, Err(Error::Query { .. })), "{read:?}");
        let read = Book::NOTES.find(|note| note.text.eq("good")).options(&options).count(&db).await;
        assert!(matches!(read, Err(Error::Query { .. })), "{read:?}");
    }
    assert!(log.commands().is_empty());
}

#[tokio::test]
async fn a_lookup_takes_the_hint_of_the_outer_documents() {
    let (db, log) = books_with_log().await;
    let outer = || Author::find(Author::F.name.eq("author 1"));
    let rows = Author::BOOKS.lookup(outer().hint("by_name")).comment("lookup").fetch_all(&db).await.unwrap();
    assert_eq!(rows.into_iter().count(), 1);
    let aggregate = log.named("aggregate").remove(0);
    assert_eq!((aggregate.get_str("hint").ok(), aggregate.get_str("comment").ok()), (Some("by_name"), Some("lookup")));
    let refused = Author::BOOKS.lookup(outer()).hint("by_title").fetch_all(&db).await;
    assert!(matches!(refused, Err(Error::UnknownIndex { model: "Author", .. })));
    let refused = Author::BOOKS.lookup(outer().collation(without_case())).fetch_all(&db).await;
    assert!(matches!(refused, Err(Error::Query { .. })));
}

#[tokio::test]
async fn a_declared_query_has_the_declared_hint() {
    let (db, log) = books_with_log().await;
    assert_eq!(Book::titled("book 1").fetch_all(&db).await.unwrap().len(), 1);
    assert_eq!(Book::titled("book 1").hint("_id_").fetch_all(&db).await.unwrap().len(), 1);
    let hints: Vec<_> = log.named("find").iter().map(|find| find.get_str("hint").unwrap().to_owned()).collect();
    assert_eq!(hints, ["by_title", "_id_"]);
}

#[tokio::test]
async fn the_commands_of_a_move_have_the_comment_and_no_hint() {
    let (db, log) = database_with_log().await;
    schema![Folder].plan(&db).await.unwrap().apply(&db).await.unwrap();
    for (id, parent) in [(1, None), (2, None), (3, Some(1))] {
        let folder = Folder { id, parent: parent.map(Ref::new), path: TreePath::default() };
        Folder::insert(&db, &folder).await.unwrap();
    }
    log.clear();
    let configured = db.with(OperationOptions::new().comment("move").hint("by_name").collation(without_case()));
    Folder::move_under(&configured, 3, 2).await.unwrap();
    for (name, command) in log.commands() {
        // The crate's own commands compare by bytes.
        let collation = command.get_document("collation").ok().map(|collation| collation.get_str("locale").ok());
        assert!(!command.contains_key("hint"), "{name}: {command}");
        assert!(collation.is_none_or(|locale| locale == Some("simple")), "{name}: {command}");
    }
    assert!(log.commands().iter().any(|(_, command)| command.get_str("comment").ok() == Some("move")));
    assert_eq!(Folder::get_by_id(&db, 3).await.unwrap().parent, Some(Ref::new(2)));
}
