//! Slow commands are events without values.

use std::time::Duration;

use mongodb::{
    Database,
    bson::{doc, oid::ObjectId},
    options::ClientOptions,
};
use schema_runtime::{connect_with, prelude::*, set_slow_threshold};
use schema_tests::{Fields, Spans, database, fail_command, server};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: String,
    name: String,
    qty: i32,
}

fn part(id: &str) -> Part {
    Part { id: id.to_owned(), name: "secret-name".to_owned(), qty: 1 }
}

/// Delays the next command of this name.
async fn delayed<T>(db: &Database, command: &str, work: impl Future<Output = T>) -> T {
    let failure = doc! { "failCommands": [command], "blockConnection": true, "blockTimeMS": 60 };
    let point = fail_command(db, doc! { "times": 1 }, failure).await;
    let output = work.await;
    point.clear().await;
    output
}

fn slow(spans: &Spans) -> Vec<Fields> {
    spans.events().into_iter().filter(|fields| fields.contains_key("threshold_ms")).collect()
}

/// Returns the collection, the command, the conditions and the number of writes of an event.
fn about(fields: &Fields) -> [&str; 4] {
    let field = |name| fields.get(name).map_or("", String::as_str);
    [field("db.collection.name"), field("db.operation.name"), field("filter"), field("db.operation.batch.size")]
}

#[tokio::test]
async fn a_slow_command_is_an_event_without_values() {
    let db = database().await;
    set_slow_threshold(&db, Some(Duration::from_millis(50))).await.unwrap();
    let (spans, _guard) = Spans::collect();
    let all = [part("secret-1"), part("secret-2")];
    delayed(&db, "insert", Part::insert_many(&db, &all)).await.unwrap();
    let find = Part::find(Part::F.name.eq("secret-name") & Part::F.qty.gte(1));
    delayed(&db, "find", find.fetch_all(&db)).await.unwrap();
    let update = Part::update_by_id("secret-1".to_owned()).set(Part::F.name, "secret-new");
    delayed(&db, "update", update.execute(&db)).await.unwrap();
    delayed(&db, "aggregate", Part::find(Part::F.qty.is_in([1, 2])).count(&db)).await.unwrap();
    delayed(&db, "delete", Part::delete_many(&db, Part::F.name.eq("secret-new"))).await.unwrap();
    let events = slow(&spans);
    assert_eq!(
        events.iter().map(about).collect::<Vec<_>>(),
        [
            ["parts", "insert", "", "2"],
            ["parts", "find", r#"{ "name": "?", "qty": { "$gte": "?" } }"#, ""],
            ["parts", "update", r#"{ "_id": "?" }"#, ""],
            ["parts", "aggregate", r#"{ "qty": { "$in": "?" } }"#, ""],
            ["parts", "delete", r#"{ "name": "?" }"#, ""],
        ]
    );
    for fields in &events {
        assert_eq!(fields["db.namespace"], db.name());
        assert!(fields["ms"].parse::<u64>().unwrap() >= 50 && fields["threshold_ms"] == "50", "{fields:?}");
        assert!(fields.values().all(|value| !value.contains("secret")), "{fields:?}");
    }
}

/// Each client has a threshold of its own; without a threshold there is no event.
#[tokio::test]
async fn each_client_has_a_threshold() {
    let (first, second) = (database().await, connected().await);
    let (spans, _guard) = Spans::collect();
    for (db, time, expected) in [
        (&first, Some(Duration::from_millis(1)), 1),
        (&first, None, 0),
        (&first, Some(Duration::from_secs(600)), 0),
        (&second, Some(Duration::from_millis(1)), 1),
        (&second, None, 0),
    ] {
        let before = slow(&spans).len();
        set_slow_threshold(db, time).await.unwrap();
        delayed(db, "find", Part::find(Filter::all()).fetch_all(db)).await.unwrap();
        assert_eq!(slow(&spans).len() - before, expected, "{time:?}");
    }
}

/// Returns a database of a client that this crate connects. The client has the name of the database.
async fn connected() -> Database {
    let name = format!("schema_test_{}", ObjectId::new().to_hex());
    let mut options = ClientOptions::parse(server().await.uri()).await.unwrap();
    options.app_name = Some(name.clone());
    connect_with(options, &name).await.unwrap()
}
