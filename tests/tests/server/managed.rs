//! Versions and timestamps: the stored values on every path, a single command for each write, and no lost update.

mod concurrent;
mod save;
mod update;

use std::collections::BTreeMap;

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use schema_runtime::{Error, prelude::*, transaction};
use schema_tests::{database, database_with_log, fail_command};

/// A type name of the program's own.
type Revision = i32;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "articles")]
#[serde(rename_all = "camelCase")]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    #[created_at]
    created: DateTime,
    #[version]
    revision: Revision,
    #[bound(max_len = 40)]
    title: String,
    #[updated_at]
    #[index(desc)]
    changed_last: DateTime,
    #[bound(max_items = 10)]
    notes: BTreeMap<String, String>,
    #[serde(skip)]
    open: bool,
}

/// A model without `#[created_at]`: a replacement is a document.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "counters")]
struct Counter {
    #[serde(rename = "_id")]
    id: i64,
    count: i64,
    #[version]
    #[serde(default)]
    version: Number,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Default)]
struct Number(i64);

/// A model without `#[version]`.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "logs")]
struct Log {
    #[serde(rename = "_id")]
    id: i64,
    #[created_at]
    created_at: DateTime,
    text: String,
}

/// The time in a struct before the first write.
const PLACEHOLDER: DateTime = DateTime::from_millis(0);

fn article(id: i64) -> Article {
    let notes = [("a.b".to_owned(), "$title".to_owned()), ("$where".to_owned(), "{}".to_owned())];
    Article {
        id,
        created: PLACEHOLDER,
        revision: 0,
        title: "$created".to_owned(),
        changed_last: PLACEHOLDER,
        notes: notes.into(),
        open: true,
    }
}

async fn raw(db: &Database, collection: &str, id: i64) -> Document {
    db.collection::<Document>(collection).find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

/// Sets the times of a document to the past: a new time then differs.
async fn age(db: &Database, id: i64) {
    let past =
        doc! { "$set": { "created": DateTime::from_millis(1_000), "changedLast": DateTime::from_millis(2_000) } };
    db.collection::<Document>("articles").update_one(doc! { "_id": id }, past).await.unwrap();
}

fn conflict(result: schema_runtime::Result<()>) -> (i64, Option<i64>) {
    match result {
        Err(Error::VersionConflict { model: "Article", collection: "articles", expected, found }) => (expected, found),
        other => panic!("no conflict: {other:?}"),
    }
}

#[tokio::test]
async fn an_insert_stores_the_time_of_now_whatever_the_struct_holds() {
    let (db, log) = database_with_log().await;
    let before = DateTime::now();
    Article::insert(&db, &article(1)).await.unwrap();
    let after = DateTime::now();
    assert_eq!(log.commands().len(), 1);
    let stored = raw(&db, "articles", 1).await;
    let names: Vec<_> = stored.keys().collect();
    assert_eq!(names, ["_id", "created", "revision", "title", "changedLast", "notes"]);
    let created = *stored.get_datetime("created").unwrap();
    assert!((before..=after).contains(&created), "{before} {created} {after}");
    assert_eq!(stored.get_datetime("changedLast").unwrap(), &created);
    assert_eq!(stored.get("revision"), Some(&Bson::Int32(0)));
    assert_eq!(stored.get_document("notes").unwrap(), &doc! { "$where": "{}", "a.b": "$title" });
}

#[tokio::test]
async fn inserts_together_have_one_time_and_create_sets_it_in_the_struct() {
    let db = database().await;
    Article::insert_many(&db, &[article(1), article(2), Article { revision: 7, ..article(3) }]).await.unwrap();
    let first = raw(&db, "articles", 1).await;
    let last = raw(&db, "articles", 3).await;
    assert_eq!(first.get_datetime("created").unwrap(), last.get_datetime("changedLast").unwrap());
    assert_eq!(last.get_i32("revision").unwrap(), 7);

    let mut made = article(4);
    Article::create(&db, &mut made).await.unwrap();
    assert!(made.created > PLACEHOLDER && made.created == made.changed_last && made.open);
    assert_eq!(Article::get_by_id(&db, &4).await.unwrap(), Article { open: false, ..made.clone() });
    let twice = made.clone();
    let refused = Article::create(&db, &mut made).await.unwrap_err();
    assert!(matches!(refused, Error::DuplicateKey { .. }), "{refused:?}");
    assert_eq!(made, twice);
}

#[tokio::test]
async fn a_replacement_keeps_the_time_of_the_insert_and_is_one_command() {
    let (db, log) = database_with_log().await;
    Article::insert(&db, &article(1)).await.unwrap();
    age(&db, 1).await;
    log.clear();
    // The article holds a placeholder and an old title; neither the placeholder nor a text that looks like a path
    // becomes an expression.
    Article::replace(&db, &article(1)).await.unwrap();
    let [(name, command)] = &log.commands()[..] else { panic!("one command: {:?}", log.commands()) };
    assert_eq!(name, "update");
    let Bson::Array(updates) = command.get("updates").unwrap() else { panic!("no updates: {command}") };
    let Bson::Document(update) = &updates[0] else { panic!("no update: {command}") };
    assert_eq!(update.get_document("q").unwrap(), &doc! { "_id": 1_i64, "revision": 0_i64 });
    let mut written = raw(&db, "articles", 1).await;
    assert_eq!(written.get_datetime("created").unwrap().timestamp_millis(), 1_000);
    let now = *written.get_datetime("changedLast").unwrap();
    assert!(now.timestamp_millis() > 2_000);
    assert_eq!(written.get("revision"), Some(&Bson::Int32(1)));
    assert_eq!(written.get_str("title").unwrap(), "$created");
    assert_eq!(written.get_document("notes").unwrap(), &doc! { "$where": "{}", "a.b": "$title" });
    // The sent update: the document with the time of now, and the stored time over the new time if a time is stored.
    written.insert("created", now);
    let created = doc! { "created": { "$ifNull": ["$created", { "$literal": now }] } };
    let pipeline = doc! { "$replaceWith": { "$mergeObjects": [{ "$literal": written }, created] } };
    assert_eq!(update.get_array("u").unwrap(), &[Bson::Document(pipeline)]);
    assert_eq!(update.get("upsert"), None);
}

#[tokio::test]
async fn a_model_without_a_time_of_insert_is_replaced_by_a_document() {
    let (db, log) = database_with_log().await;
    let mut counter = Counter { id: 1, count: 1, version: Number(4) };
    Counter::insert(&db, &counter).await.unwrap();
    log.clear();
    counter.count = 2;
    Counter::save(&db, &mut counter).await.unwrap();
    assert_eq!(counter, Counter { id: 1, count: 2, version: Number(5) });
    let [(name, command)] = &log.commands()[..] else { panic!("one command: {:?}", log.commands()) };
    assert_eq!(name, "update");
    let update = command.get_array("updates").unwrap()[0].as_document().unwrap();
    assert_eq!(update.get_document("q").unwrap(), &doc! { "_id": 1_i64, "version": 4_i64 });
    assert_eq!(update.get_document("u").unwrap(), &doc! { "_id": 1_i64, "count": 2_i64, "version": 5_i64 });
}

#[tokio::test]
async fn a_model_without_a_version_keeps_its_time_too() {
    let (db, log) = database_with_log().await;
    let mut entry = Log { id: 1, created_at: PLACEHOLDER, text: "a".to_owned() };
    let absent = Log::replace(&db, &entry).await.unwrap_err();
    assert!(matches!(absent, Error::NotFound { model: "Log", .. }), "{absent:?}");
    Log::insert(&db, &entry).await.unwrap();
    let created = *raw(&db, "logs", 1).await.get_datetime("created_at").unwrap();
    log.clear();
    entry.text = "b".to_owned();
    Log::save(&db, &mut entry).await.unwrap();
    assert_eq!(log.commands().len(), 1);
    assert_eq!(entry, Log { id: 1, created_at: created, text: "b".to_owned() });
    assert_eq!(Log::get_by_id(&db, &1).await.unwrap(), entry);
}

#[tokio::test]
async fn a_save_is_one_command_and_can_be_saved_again() {
    let (db, log) = database_with_log().await;
    let mut value = article(1);
    Article::insert(&db, &value).await.unwrap();
    age(&db, 1).await;
    log.clear();
    Article::save(&db, &mut value).await.unwrap();
    let [(name, command)] = &log.commands()[..] else { panic!("one command: {:?}", log.commands()) };
    assert_eq!(name, "findAndModify");
    assert_eq!(command.get_document("query").unwrap(), &doc! { "_id": 1_i64, "revision": 0_i64 });
    assert_eq!(command.get_document("fields").unwrap(), &doc! { "_id": 0, "created": 1 });
    assert_eq!(command.get_bool("new").ok(), Some(true));
    assert_eq!(value.created.timestamp_millis(), 1_000);
    assert_eq!(value.revision, 1);
    assert!(value.open, "what is not stored is not touched");
    assert_eq!(Article::get_by_id(&db, &1).await.unwrap(), Article { open: false, ..value.clone() });

    value.title = "again".to_owned();
    Article::save(&db, &mut value).await.unwrap();
    assert_eq!(value.revision, 2);
    assert_eq!(Article::get_by_id(&db, &1).await.unwrap(), Article { open: false, ..value });
}

#[tokio::test]
async fn a_save_of_an_old_value_is_a_conflict_that_names_both_versions() {
    let (db, log) = database_with_log().await;
    let mut first = article(1);
    Article::insert(&db, &first).await.unwrap();
    let mut second = first.clone();
    Article::save(&db, &mut first).await.unwrap();
    Article::save(&db, &mut first).await.unwrap();
    let stored = raw(&db, "articles", 1).await;
    second.title = "lost".to_owned();
    let held = second.clone();
    log.clear();
    let refused = Article::save(&db, &mut second).await;
    let names: Vec<_> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["findAndModify", "find"]);
    assert_eq!(
        refused.as_ref().unwrap_err().to_string(),
        "a document of `Article` in `articles` has changed since the read: the stored version is 2, not 0"
    );
    assert_eq!(conflict(refused), (0, Some(2)));
    assert_eq!(conflict(Article::replace(&db, &second).await), (0, Some(2)));
    assert_eq!(second, held);
    assert_eq!(raw(&db, "articles", 1).await, stored);

    Article::delete(&db, &first).await.unwrap();
    let gone = Article::save(&db, &mut first).await.unwrap_err();
    assert!(matches!(gone, Error::NotFound { model: "Article", collection: "articles" }), "{gone:?}");
}

#[tokio::test]
async fn documents_from_before_the_version_count_as_version_0() {
    let db = database().await;
    db.collection::<Document>("counters").insert_one(doc! { "_id": 1_i64, "count": 3_i64 }).await.unwrap();
    let mut counter = Counter::get_by_id(&db, &1).await.unwrap();
    let mut other = counter.clone();
    assert_eq!(counter.version, Number(0));
    Counter::save(&db, &mut counter).await.unwrap();
    assert_eq!(raw(&db, "counters", 1).await.get_i64("version").ok(), Some(1));
    let late = Counter::save(&db, &mut other).await.unwrap_err();
    assert!(matches!(late, Error::VersionConflict { expected: 0, found: Some(1), .. }), "{late:?}");

    db.collection::<Document>("counters").insert_one(doc! { "_id": 2_i64, "count": 3_i64 }).await.unwrap();
    let ahead = Counter::replace(&db, &Counter { id: 2, count: 0, version: Number(1) }).await.unwrap_err();
    assert!(matches!(ahead, Error::VersionConflict { expected: 1, found: None, .. }), "{ahead:?}");

    // A missing time becomes the time of the save.
    db.collection::<Document>("logs").insert_one(doc! { "_id": 1_i64, "text": "" }).await.unwrap();
    let mut entry = Log { id: 1, created_at: PLACEHOLDER, text: String::new() };
    Log::save(&db, &mut entry).await.unwrap();
    assert!(entry.created_at > PLACEHOLDER);
    assert_eq!(raw(&db, "logs", 1).await.get_datetime("created_at").ok(), Some(&entry.created_at));
}

#[tokio::test]
async fn a_version_that_is_at_its_end_is_said() {
    let (db, log) = database_with_log().await;
    let mut last = Article { revision: i32::MAX, ..article(1) };
    Article::insert(&db, &last).await.unwrap();
    log.clear();
    let refused = Article::save(&db, &mut last).await.unwrap_err();
    assert!(
        matches!(&refused, Error::Update { message } if message.contains("`revision` of `Article`")),
        "{refused:?}"
    );
    assert_eq!(log.commands(), []);
}

#[tokio::test]
async fn a_save_that_is_refused_says_why_and_leaves_the_value() {
    let db = database().await;
    schema![Article, Counter, Log].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let mut value = article(1);
    Article::create(&db, &mut value).await.unwrap();
    let change = doc! { "collMod": "articles", "validator": { "$jsonSchema": { "properties": { "title": { "enum": ["only"] } } } } };
    db.run_command(change).await.unwrap();
    let held = value.clone();
    let refused = Article::save(&db, &mut value).await.unwrap_err();
    assert!(
        matches!(&refused, Error::DocumentInvalid { failures, .. } if failures.iter().any(|failure| failure.to_string().contains("title"))),
        "{refused:?}"
    );
    assert_eq!(value, held);
}

#[tokio::test]
async fn a_save_whose_answer_is_lost_counts_once() {
    let (db, log) = database_with_log().await;
    let mut value = article(1);
    Article::create(&db, &mut value).await.unwrap();
    let mut counter = Counter { id: 1, count: 1, version: Number(0) };
    Counter::insert(&db, &counter).await.unwrap();
    // The server has done the write; the driver has to try again, and must not take its own first attempt for a version
    // conflict.
    let failure = doc! {
        "failCommands": ["findAndModify", "update"],
        "writeConcernError": { "code": 64, "errmsg": "too late", "errorLabels": ["RetryableWriteError"] },
    };
    let point = fail_command(&db, doc! { "times": 1 }, failure.clone()).await;
    let saved = Article::save(&db, &mut value).await;
    point.clear().await;
    saved.unwrap();
    let point = fail_command(&db, doc! { "times": 1 }, failure).await;
    let counted = Counter::save(&db, &mut counter).await;
    point.clear().await;
    counted.unwrap();
    assert_eq!((log.named("findAndModify").len(), log.named("update").len()), (2, 2), "each was sent again");
    assert_eq!((value.revision, counter.version), (1, Number(1)));
    assert_eq!(raw(&db, "articles", 1).await.get_i32("revision").ok(), Some(1));
    assert_eq!(raw(&db, "counters", 1).await.get_i64("version").ok(), Some(1));
}

#[tokio::test]
async fn a_transaction_that_is_undone_leaves_the_version() {
    let db = database().await;
    Article::insert(&db, &article(1)).await.unwrap();
    let undone: schema_runtime::Result<()> = transaction(&db, |tx| async move {
        let mut value = Article::get_by_id(&tx, &1).await?;
        Article::save(&tx, &mut value).await?;
        Article::save(&tx, &mut value).await?;
        assert_eq!(Article::get_by_id(&tx, &1).await?.revision, 2);
        Article::replace(&tx, &article(1)).await
    })
    .await;
    assert_eq!(conflict(undone), (0, Some(2)));
    assert_eq!(raw(&db, "articles", 1).await.get_i32("revision").ok(), Some(0));

    transaction(&db, |tx| async move {
        let mut value = Article::get_by_id(&tx, &1).await?;
        Article::save(&tx, &mut value).await
    })
    .await
    .unwrap();
    assert_eq!(raw(&db, "articles", 1).await.get_i32("revision").ok(), Some(1));
}
