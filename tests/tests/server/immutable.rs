//! Immutable fields: only an insert sets the field, and no write of a whole value changes the field.

mod bulk;
mod derived;
mod writes;

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{prelude::*, schema};
use schema_tests::{CommandLog, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: i64,
    #[immutable]
    #[index(unique)]
    #[bound(max_len = 40)]
    #[serde(rename = "mail")]
    email: String,
    #[immutable]
    #[bound(max_items = 3)]
    tags: Vec<Option<i32>>,
    #[immutable]
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<f64>,
    #[immutable]
    #[relation(one_to_one, embed)]
    home: Home,
    #[immutable]
    #[hidden]
    key: Hidden<String>,
    name: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Home {
    city: String,
    #[bound(max_items = 3)]
    pets: std::collections::HashMap<String, i32>,
}

/// The hidden text of an account.
const KEY: &str = "hunter2";

fn account(id: i64) -> Account {
    Account {
        id,
        email: format!("{id}@example.com"),
        tags: vec![Some(1), None],
        plan: None,
        home: Home { city: "Oslo".into(), pets: [("a".to_owned(), 1), ("b".to_owned(), 2)].into() },
        key: KEY.to_owned().into(),
        name: "Ada".into(),
    }
}

async fn start() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema![Account].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Account::insert_many(&db, [account(1), account(2), account(3)]).await.unwrap();
    log.clear();
    (db, log)
}

/// Returns the stored document, read by the driver.
async fn stored(db: &Database, collection: &str, id: i64) -> Document {
    db.collection(collection).find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

/// Asserts that an outcome is the error of this immutable field.
#[track_caller]
fn assert_refused<T: std::fmt::Debug>(outcome: Result<T>, name: &str) {
    let error = outcome.unwrap_err();
    let Error::ImmutableField { field, .. } = error.cause() else { panic!("{error:?}") };
    assert_eq!(*field, name);
    assert_eq!(error.kind(), schema_runtime::ErrorKind::Conflict);
    let text = format!("{error} {error:?}");
    assert!(!text.contains("example.com") && !text.contains(KEY), "{text}");
}

fn names(log: &CommandLog) -> Vec<String> {
    log.commands().into_iter().map(|(name, _)| name).collect()
}
