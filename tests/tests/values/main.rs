//! The feature `log-values`: each command as a line for `mongosh`, with the time and the counts. The tests are a binary
//! of their own: `cargo test -p schema-tests --features log-values --test values`.

#[path = "../server/mongosh.rs"]
mod mongosh;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use mongodb::{
    Client, Database,
    bson::{Document, doc, oid::ObjectId},
    event::EventHandler,
    options::ClientOptions,
};
use schema_runtime::{connect, connect_with, prelude::*, transaction};
use schema_tests::{
    Fields, PATIENCE, Spans,
    process::{alone, prepared, run_again},
    server,
};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i32,
    #[index]
    name: String,
    note: Option<String>,
}

fn part(id: i32, name: &str) -> Part {
    Part { id, name: name.to_owned(), note: None }
}

/// Returns a new database of a client that this crate connects.
async fn connected() -> Database {
    let name = format!("schema_test_{}", ObjectId::new().to_hex());
    let options = ClientOptions::parse(server().await.uri()).await.unwrap();
    let db = connect_with(options, &name).await.unwrap();
    schema![Part].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    db
}

/// Returns the printed commands of this database when there are so many.
async fn printed(spans: &Spans, db: &Database, count: usize) -> Vec<Fields> {
    let of_database = || {
        let of_database = |fields: &Fields| fields.get("database").is_some_and(|name| name == db.name());
        spans.events().into_iter().filter(of_database).collect::<Vec<_>>()
    };
    let all = async {
        while of_database().len() < count {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, all).await.unwrap_or_else(|_| panic!("{:#?}", of_database()));
    of_database()
}

fn line(fields: &Fields) -> &str {
    fields["message"].strip_suffix(" //").unwrap()
}

fn counts(fields: &Fields) -> Vec<(&str, &str)> {
    let is_count = |name: &str| !matches!(name, "message" | "ms" | "database");
    fields.iter().filter(|(name, _)| is_count(name)).map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

#[tokio::test]
async fn each_command_is_a_line_with_its_counts() {
    let db = connected().await;
    let (spans, _guard) = Spans::collect();
    Part::insert_many(&db, &[part(1, "bolt"), part(2, "nut"), part(3, "bolt")]).await.unwrap();
    Part::find(Part::F.name.eq("bolt")).fetch_all(&db).await.unwrap();
    Part::find(Filter::all()).count(&db).await.unwrap();
    Part::find(Filter::all()).distinct(&db, Part::F.name).await.unwrap();
    // The counts of a read are the counts of an `explain` after the read: the writes wait for the lines.
    printed(&spans, &db, 4).await;
    Part::update_many(Part::F.name.eq("bolt")).set(Part::F.note, "x \u{1b}".to_owned()).execute(&db).await.unwrap();
    Part::find_one_and_update(Part::F.id.eq(2)).set(Part::F.name, "cap").fetch_after(&db).await.unwrap();
    Part::insert(&db, &part(2, "nut")).await.unwrap_err();
    Part::delete_by_id(&db, &1).await.unwrap();
    Part::find(Filter::raw(doc! { "$unknown": 1 })).fetch_all(&db).await.unwrap_err();
    let all = printed(&spans, &db, 9).await;
    assert!(all.iter().all(|fields| fields["ms"].parse::<f64>().unwrap() > 0.0), "{all:?}");
    let expected: [(&str, &[(&str, &str)]); 9] = [
        (
            r#"insertMany([{ _id: 1, name: "bolt", note: null }, { _id: 2, name: "nut", note: null }, { _id: 3, name: "bolt", note: null }])"#,
            &[("matched", "3")],
        ),
        (
            r#"find({ name: "bolt" }).batchSize(1000000)"#,
            &[("docs_examined", "2"), ("keys_examined", "2"), ("returned", "2")],
        ),
        (
            "aggregate([{ $match: {} }, { $group: { _id: 1, n: { $sum: 1 } } }])",
            &[("docs_examined", "3"), ("keys_examined", "0"), ("returned", "1")],
        ),
        (r#"distinct("name", {})"#, &[("docs_examined", "0"), ("keys_examined", "2"), ("returned", "2")]),
        (r#"updateMany({ name: "bolt" }, { $set: { note: "x \u{1b}" } })"#, &[("matched", "2"), ("modified", "2")]),
        (
            r#"findOneAndUpdate({ _id: 2 }, { $set: { name: "cap" } }, { returnDocument: "after" })"#,
            &[("returned", "1")],
        ),
        (r#"insertOne({ _id: 2, name: "nut", note: null })"#, &[("matched", "0"), ("refused", "1")]),
        ("deleteOne({ _id: 1 })", &[("matched", "1")]),
        ("find({ $unknown: 1 }).batchSize(1000000)", &[("error", "2")]),
    ];
    for (fields, (text, expected)) in all.iter().zip(expected) {
        assert_eq!(line(fields), format!("db.getCollection(\"parts\").{text}"));
        assert_eq!(counts(fields), expected, "{text}");
    }
}

/// The printed lines send the same commands.
#[tokio::test]
async fn the_lines_are_pasted() {
    let db = connected().await;
    let (spans, _guard) = Spans::collect();
    let many: Vec<_> = (0..1_500).map(|id| part(id, "bolt")).collect();
    Part::insert_many(&db, &many).await.unwrap();
    Part::find(Part::F.id.lt(3)).sort(Part::F.name.desc()).fetch_all(&db).await.unwrap();
    Part::bulk()
        .update(Part::update_by_id(1).set(Part::F.name, "nut"))
        .update(Part::update_by_id(2).set(Part::F.name, "cap"))
        .delete_by_id(3)
        .execute(&db)
        .await
        .unwrap()
        .complete()
        .unwrap();
    let all = printed(&spans, &db, 4).await;
    let lines: Vec<String> = all[1..].iter().map(|fields| fields["message"].clone()).collect();
    let shell = mongosh::commands_of_shell(&db, &lines).await;
    let names: Vec<_> = shell.iter().map(|command| command.keys().next().unwrap().as_str()).collect();
    assert_eq!(names, ["find", "update", "delete"], "{lines:#?}");
    assert_eq!(shell[1].get_array("updates").unwrap().len(), 2);
}

#[tokio::test]
async fn a_transaction_is_printed_with_its_end() {
    let db = connected().await;
    let (spans, _guard) = Spans::collect();
    transaction(&db, |tx| async move { Part::insert(&tx, &part(1, "bolt")).await }).await.unwrap();
    let all = printed(&spans, &db, 1).await;
    assert_eq!(counts(&all[0]), [("in_transaction", "true"), ("matched", "1")]);
    let commit = spans.events().into_iter().find(|fields| fields.get("database").is_some_and(|name| name == "admin"));
    assert!(line(&commit.unwrap()).starts_with("db.adminCommand({ commitTransaction: 1, "));
}

/// Neither a password of a login nor a password of a command is printed.
#[tokio::test]
async fn no_password_is_printed() {
    let (spans, _guard) = Spans::collect();
    let db = connected().await;
    db.run_command(doc! { "createUser": "ann", "pwd": "hunter2", "roles": ["readWrite"] }).await.unwrap();
    let mut options = ClientOptions::parse(server().await.uri()).await.unwrap();
    let login = mongodb::options::Credential::builder();
    options.credential =
        Some(login.username("ann".to_owned()).password("hunter2".to_owned()).source(db.name().to_owned()).build());
    let known = connect_with(options, db.name()).await.unwrap();
    Part::insert(&known, &part(1, "bolt")).await.unwrap();
    db.run_command(doc! { "dropUser": "ann" }).await.unwrap();
    printed(&spans, &db, 1).await;
    for fields in spans.events() {
        let text = format!("{fields:?}");
        assert!(!text.contains("hunter2") && !text.contains("sasl") && !text.contains("createUser"), "{text}");
    }
}

/// A handler of the user still gets each event; a client of the driver prints by one call.
#[tokio::test]
async fn a_client_of_the_driver_prints_too() {
    let mut options = ClientOptions::parse(server().await.uri()).await.unwrap();
    let seen = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&seen);
    options.command_event_handler = Some(EventHandler::callback(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    }));
    schema_runtime::log_values(&mut options);
    let db = Client::with_options(options).unwrap().database(&format!("schema_test_{}", ObjectId::new().to_hex()));
    let (spans, _guard) = Spans::collect();
    Part::insert(&db, &part(1, "bolt")).await.unwrap();
    printed(&spans, &db, 1).await;
    assert_eq!(seen.load(Ordering::Relaxed), 2, "the begin and the end of one command");
}

/// Without a subscriber for the target nothing is kept and no `explain` is sent.
#[tokio::test]
async fn without_a_subscriber_nothing_is_explained() {
    if prepared().await.is_none() {
        // The tests beside this test have subscribers: a second process has none.
        return run_again("without_a_subscriber_nothing_is_explained", &alone().await).await;
    }
    let db = connect(server().await.uri(), "schema_test_values").await.unwrap();
    db.collection::<Document>("system.profile").drop().await.unwrap();
    db.run_command(doc! { "profile": 2 }).await.unwrap();
    Part::find(Part::F.name.eq("bolt")).fetch_all(&db).await.unwrap();
    db.run_command(doc! { "profile": 0 }).await.unwrap();
    let profile = db.collection::<Document>("system.profile");
    let explains = profile.count_documents(doc! { "command.explain": { "$exists": true } });
    assert_eq!(explains.await.unwrap(), 0);
    db.drop().await.unwrap();
}
