//! An upsert replaces the document with the same `_id`, or inserts a new document: a single value and many values, with
//! all derived data.

use futures_util::future::join_all;
use mongodb::bson::{Document, doc};
use schema_runtime::{Error, prelude::*, schema, transaction};
use schema_tests::{
    database, database_with_log,
    rollups::{Counter, Host, LogMsg, assert_nothing_left, assert_right, counter, host, message},
};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "letters")]
struct Letter {
    #[serde(rename = "_id")]
    id: i64,
    text: String,
    #[created_at]
    created: DateTime,
    #[version]
    version: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Book::author_name)]
    name: String,
    #[created_at]
    joined: DateTime,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    author: Ref<Author>,
    #[denormalize(from = author.name)]
    author_name: String,
}

fn person(id: i64, name: &str) -> Person {
    Person { id, name: name.to_owned() }
}

fn letter(id: i64, text: &str, version: i64) -> Letter {
    Letter { id, text: text.to_owned(), created: DateTime::from_millis(0), version }
}

#[tokio::test]
async fn one() {
    let (db, log) = database_with_log().await;
    assert!(Person::upsert(&db, &person(1, "one")).await.unwrap());
    assert!(!Person::upsert(&db, &person(1, "first")).await.unwrap());
    let sent: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(sent, ["update", "insert", "update"]);
    assert_eq!(Person::get_by_id(&db, 1).await.unwrap().name, "first");
    // The first upsert is an insert, and the second is a replace.
    assert!(Letter::upsert(&db, &letter(1, "a", 0)).await.unwrap());
    let first = Letter::get_by_id(&db, 1).await.unwrap();
    assert!(!Letter::upsert(&db, &letter(1, "b", 0)).await.unwrap());
    let second = Letter::get_by_id(&db, 1).await.unwrap();
    assert_eq!((second.version, second.created, second.text.as_str()), (1, first.created, "b"));
    let stale = Letter::upsert(&db, &letter(1, "c", 0)).await.unwrap_err();
    assert!(matches!(stale, Error::VersionConflict { .. }), "{stale:?}");
    let inside = transaction(&db, |tx| async move {
        let inserted = Person::upsert(&tx, &person(2, "two")).await?;
        Ok::<_, Error>((inserted, Person::upsert(&tx, &person(2, "second")).await?))
    });
    assert_eq!(inside.await.unwrap(), (true, false));
}

#[tokio::test]
async fn many() {
    let (db, log) = database_with_log().await;
    let all: Vec<Person> = (0..2_500).map(|id| person(id, "a")).collect();
    Person::insert_many(&db, &all[..10]).await.unwrap();
    log.clear();
    let upserted = Person::upsert_many(&db, &all).await.unwrap();
    assert_eq!((upserted.inserted, upserted.replaced), (2_490, 10));
    let sent: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(sent, ["find", "insert", "update", "find", "insert", "find", "insert"]);
    // A repeated `_id` gets the last value.
    let twice = Person::upsert_many(&db, [person(1, "b"), person(9_000, "b"), person(1, "c"), person(9_000, "c")]);
    let twice = twice.await.unwrap();
    assert_eq!((twice.inserted, twice.replaced), (1, 3));
    for id in [1, 9_000] {
        assert_eq!(Person::get_by_id(&db, id).await.unwrap().name, "c");
    }
    log.clear();
    assert_eq!(
        Person::upsert_many(&db, [] as [Person; 0]).await.unwrap(),
        schema_runtime::operation::Upserted::default()
    );
    assert!(log.commands().is_empty());
    // A value of an old version is an error, and the remaining values are written.
    Letter::insert_many(&db, [letter(1, "a", 5), letter(2, "a", 0)]).await.unwrap();
    let stale = Letter::upsert_many(&db, [letter(1, "b", 4), letter(2, "b", 0), letter(3, "b", 0)]).await.unwrap_err();
    assert!(matches!(stale.cause(), Error::VersionConflict { .. }), "{stale:?}");
    let stored = Letter::find(Filter::all()).sort([Letter::F.id.asc()]).fetch_all(&db).await.unwrap();
    assert_eq!(stored.iter().map(|letter| letter.text.as_str()).collect::<Vec<_>>(), ["a", "b", "b"]);
}

/// Eight clients import the same children concurrently: each child is stored once, and its parents count the child
/// once.
#[tokio::test]
async fn what_is_derived_follows() {
    let db = database().await;
    Host::upsert_many(&db, [host(1), host(2)]).await.unwrap();
    Counter::upsert(&db, &counter(1)).await.unwrap();
    let import = |round: i64| {
        let db = &db;
        async move {
            let all: Vec<LogMsg> = (0..60).map(|id| message(id, 1 + (id + round) % 2)).collect();
            LogMsg::upsert_many(db, &all).await.unwrap();
            LogMsg::upsert(db, &message(round, 1)).await.unwrap();
        }
    };
    join_all((0..8).map(import)).await;
    assert_eq!(LogMsg::find(Filter::all()).count(&db).await.unwrap(), 60);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
    // The fields that the crate stores beside the struct's fields stay.
    let raw = db.collection::<Document>("hosts").find_one(doc! { "_id": 1 }).await.unwrap().unwrap();
    assert!(raw.get_i64("messages").unwrap() > 0, "{raw}");
}

/// Upserts in a bulk: with the time of the insert, with copies, and with the counts of the parents.
#[tokio::test]
async fn in_a_bulk() {
    let (db, log) = database_with_log().await;
    schema![Host, LogMsg, Counter, Author, Book].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Person::insert(&db, &person(1, "one")).await.unwrap();
    log.clear();
    let report = Person::bulk().upsert(&person(1, "first")).upsert(&person(2, "two")).execute(&db).await.unwrap();
    assert_eq!((log.named("update").len(), report.counts.matched, report.counts.unmatched), (1, 1, Some(0)));
    assert_eq!(report.complete().unwrap().upserted_ids.into_iter().collect::<Vec<_>>(), [(1, 2)]);
    assert_eq!(Person::get_by_id(&db, 1).await.unwrap().name, "first");

    let refused = Letter::bulk().upsert(&letter(1, "a", 0)).execute(&db).await.unwrap_err();
    assert!(matches!(&refused, Error::Bulk { source, .. } if matches!(**source, Error::Update { .. })), "{refused}");

    let author = |id, name: &str| Author { id, name: name.to_owned(), joined: DateTime::from_millis(0) };
    let book = |id, author: i64| Book { id, author: Ref::new(author), author_name: String::new() };
    Author::bulk().upsert(&author(1, "a")).upsert(&author(2, "b")).execute(&db).await.unwrap().complete().unwrap();
    let joined = Author::get_by_id(&db, 1).await.unwrap().joined;
    assert!(joined > DateTime::from_millis(0), "{joined}");
    for unordered in [false, true] {
        let bulk = Book::bulk().upsert(&book(1, 1)).upsert(&book(2, 2)).upsert(&book(1, 2));
        let bulk = if unordered { bulk.unordered() } else { bulk };
        bulk.execute(&db).await.unwrap().complete().unwrap();
        let names: Vec<String> = Book::find(Filter::all())
            .sort([Book::F.id.asc()])
            .fetch_all(&db)
            .await
            .unwrap()
            .into_iter()
            .map(|book| book.author_name)
            .collect();
        assert_eq!(names, ["b", "b"]);
    }
    Author::bulk().upsert(&author(2, "renamed")).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(Book::get_by_id(&db, 1).await.unwrap().author_name, "renamed");
    assert_eq!(Author::get_by_id(&db, 1).await.unwrap().joined, joined);

    let hosts = Host::bulk().upsert(&host(1)).upsert(&host(2)).execute(&db).await.unwrap();
    hosts.complete().unwrap();
    let messages = [message(1, 1), message(2, 1), message(3, 2)];
    for host in [1, 2] {
        let all = messages.iter().fold(LogMsg::bulk(), |bulk, message| {
            bulk.upsert(&LogMsg {
                host: if message.id == 1 { Ref::new(host) } else { message.host },
                ..message.clone()
            })
        });
        all.execute(&db).await.unwrap().complete().unwrap();
        assert_right(&db).await;
        Host::bulk().upsert(&schema_tests::rollups::host(1)).execute(&db).await.unwrap().complete().unwrap();
        assert_right(&db).await;
    }
    assert_nothing_left(&db).await;
    let report = schema![Host, LogMsg, Counter, Author, Book].verify(&db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}
