//! Hidden fields: values that a read gets only by name, and that no write loses.

// Two declared queries may have words in common.
#![allow(clippy::duplicated_attributes)]

mod changes;
mod derived;
mod json;
mod random;
mod reads;
mod related;
mod silent;
mod writes;

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use schema_runtime::{prelude::*, schema};
use schema_tests::{CommandLog, database_with_replies};

/// The hidden text of each user: no reply and no text of this crate shows the text, unless a call names the field.
const SECRET: &str = "hunter2";

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "users")]
#[query(by_email(email), limit = 10)]
#[query(by_token(token), limit = 11)]
#[query(login(email), limit = 12, select = Login)]
struct User {
    #[serde(rename = "_id")]
    id: i64,
    email: String,
    #[hidden]
    #[bound(max_len = 40)]
    #[serde(rename = "pw")]
    password: Hidden<String>,
    #[hidden]
    #[index(unique)]
    token: Hidden<String>,
    #[hidden]
    pin: Hidden<Option<i32>>,
    #[hidden]
    #[bound(max_items = 3, max_len = 20)]
    codes: Hidden<Vec<String>>,
    #[hidden]
    #[relation(one_to_one, embed)]
    second: Hidden<Second>,
    #[hidden]
    #[index(ttl = "30d")]
    expires: Hidden<DateTime>,
}

/// The second factor of a login.
#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Second {
    #[bound(max_len = 40)]
    seed: String,
    kind: Kind,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
enum Kind {
    Totp,
    Sms,
}

#[derive(Projection, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = User)]
struct Login {
    email: String,
    #[hidden]
    #[serde(rename = "pw")]
    password: Hidden<String>,
}

#[derive(Projection, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = User)]
struct Email {
    email: String,
}

fn user(id: i64) -> User {
    User {
        id,
        email: format!("{id}@example.com"),
        password: format!("{SECRET}-{id}").into(),
        token: format!("{SECRET}-token-{id}").into(),
        pin: Some(7_000 + id as i32).into(),
        codes: vec![format!("{SECRET}-code")].into(),
        second: Second { seed: format!("{SECRET}-seed"), kind: Kind::Totp }.into(),
        expires: DateTime::from_millis(4_000_000_000_000).into(),
    }
}

/// Returns the user as a read gets the user.
fn shown(id: i64) -> User {
    User {
        password: Hidden::not_loaded(),
        token: Hidden::not_loaded(),
        pin: Hidden::not_loaded(),
        codes: Hidden::not_loaded(),
        second: Hidden::not_loaded(),
        expires: Hidden::not_loaded(),
        ..user(id)
    }
}

async fn start() -> (Database, CommandLog) {
    let (db, log) = database_with_replies().await;
    schema![User].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    User::insert_many(&db, [user(1), user(2), user(3)]).await.unwrap();
    log.clear();
    (db, log)
}

/// Returns the stored document, read by the driver through another client's eyes.
async fn stored(db: &Database, id: i64) -> Document {
    db.collection("users").find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

/// Asserts that no reply of the server has the hidden text.
fn assert_silent(log: &CommandLog) {
    let replies = log.replies();
    assert!(!replies.is_empty(), "the log has replies");
    for (name, reply) in replies {
        let text = Bson::Document(reply).to_string();
        assert!(!text.contains(SECRET), "a reply to `{name}`: {text}");
    }
    log.clear();
}

/// Returns the projection of the only `find`, or of the only `findAndModify`.
fn projection(log: &CommandLog) -> Option<Document> {
    let commands = log.commands();
    let [(name, command)] = &commands[..] else { panic!("one command: {commands:?}") };
    let part = if name == "findAndModify" { "fields" } else { "projection" };
    command.get_document(part).ok().cloned()
}

fn all_hidden() -> Document {
    doc! { "pw": 0, "token": 0, "pin": 0, "codes": 0, "second": 0, "expires": 0 }
}
