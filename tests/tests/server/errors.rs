//! The server's refusals as typed errors; the texts contain no values of a document.

use futures_util::StreamExt;
use mongodb::bson::{Bson, Document, doc};
use schema_runtime::prelude::*;

use crate::sent::sent;

mod causes;
mod secrets;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: i64,
    email: String,
    name: String,
    #[opaque(max_bytes = 1_000)]
    anything: Bson,
}

fn user(id: i64, email: &str) -> User {
    User { id, email: email.to_owned(), name: "secret name".to_owned(), anything: Bson::Null }
}

#[tokio::test]
async fn a_duplicate_key_names_the_index() {
    let db = schema_tests::database().await;
    let index = mongodb::IndexModel::builder()
        .keys(doc! { "email": 1 })
        .options(mongodb::options::IndexOptions::builder().unique(true).name("one account".to_owned()).build())
        .build();
    User::collection(&db).create_index(index).await.unwrap();
    User::insert(&db, &user(1, "secret@example.org")).await.unwrap();

    let again = user(2, "secret@example.org");
    let error = User::insert(&db, &again).await.unwrap_err();
    assert!(
        matches!(&error, Error::DuplicateKey { collection, index, fields, key } if collection == "users" && index == "one account"
            && fields == &["email"] && key == r#"{ email: "secret@example.org" }"#)
    );
    assert_eq!(error.to_string(), "`users` has a document with the same keys in the unique index `one account`");

    let error = User::insert(&db, &user(1, "new")).await.unwrap_err();
    assert!(
        matches!(&error, Error::DuplicateKey { index, key, .. } if index == "_id_" && key == "{ _id: 1 }"),
        "{error}"
    );

    User::insert(&db, &user(3, "three")).await.unwrap();
    let error = User::replace(&db, &user(3, "secret@example.org")).await.unwrap_err();
    assert!(matches!(&error, Error::DuplicateKey { index, .. } if index == "one account"), "{error}");

    let many: Vec<_> = (10..15).map(|id| user(id, &id.to_string())).chain([again, user(20, "20")]).collect();
    let error = User::insert_many(&db, &many).await.unwrap_err();
    assert!(matches!(error, Error::InsertMany { collection: "users", inserted: 5, index: Some(5), .. }), "{error}");
    assert!(matches!(error.cause(), Error::DuplicateKey { index, key, .. }
        if index == "one account" && key == r#"{ email: "secret@example.org" }"#));
    assert_eq!(
        error.to_string(),
        "document 5 was refused, after 5 were inserted in `users`: `users` has a document with the same keys in the \
         unique index `one account`"
    );

    // Values that look like the message around the values.
    let odd = r#"} index: x collation: { dup key: { "'"#;
    User::insert(&db, &user(4, odd)).await.unwrap();
    let error = User::insert(&db, &user(5, odd)).await.unwrap_err();
    assert!(
        matches!(&error, Error::DuplicateKey { index, key, .. } if index == "one account" && key.contains(odd)),
        "{error:?}"
    );
    assert!(!error.to_string().contains("dup key"), "{error}");
    assert_eq!(User::find(User::F.id.is_in(10..30)).count(&db).await.unwrap(), 5);
}

/// The position counts from the first document, also in a later command.
#[tokio::test]
async fn a_refusal_in_a_later_batch_counts_what_went_before() {
    let (db, log) = schema_tests::database_with_log().await;
    let large = |id| User { name: "x".repeat(1024 * 1024), ..user(id, "") };
    let mut many: Vec<_> = (0..60).map(large).collect();
    many[55].id = 3;
    let (result, names) = sent(&log, User::insert_many(&db, &many)).await;
    let error = result.unwrap_err();
    assert_eq!(names, ["insert", "insert"]);
    assert!(matches!(error, Error::InsertMany { inserted: 55, index: Some(55), .. }), "{error}");
    assert_eq!(User::find(Filter::all()).count(&db).await.unwrap(), 55);
}

#[tokio::test]
async fn other_refusals_of_a_validator_say_field_and_rule_without_values() {
    let db = schema_tests::database().await;
    let schema = doc! { "bsonType": "object", "required": ["_id", "phone"], "properties": {
        "email": { "bsonType": "int" },
        "name": { "enum": ["public"] },
        "anything": { "bsonType": ["object", "null"], "properties": {
            "list": { "bsonType": "array", "items": { "bsonType": "object", "required": ["x"], "properties": { "x": { "minimum": 5 } } } },
        } },
    } };
    db.create_collection("users").validator(doc! { "$jsonSchema": schema }).await.unwrap();
    let value = User {
        anything: Bson::Document(doc! { "list": [{ "x": 6 }, { "x": 1, "password": "secret" }] }),
        ..user(1, "secret@example.org")
    };
    let error = User::insert(&db, &value).await.unwrap_err();
    let Error::DocumentInvalid { collection, failures } = &error else { panic!("{error:?}") };
    assert_eq!(collection, "users");
    let mut causes: Vec<_> = failures
        .iter()
        .map(|failed| (failed.field.as_str(), failed.rule.as_str(), failed.found_type.as_deref()))
        .collect();
    causes.sort_unstable();
    assert_eq!(
        causes,
        [
            ("anything.list.1.x", "minimum", None),
            ("email", "bsonType", Some("string")),
            ("name", "enum", None),
            ("phone", "required", None),
        ]
    );
    let text = error.to_string();
    let failed = text.strip_prefix("a document of `users` does not pass the collection's validator: ").expect(&text);
    let failed: std::collections::BTreeSet<_> = failed.split("; ").collect();
    assert_eq!(
        failed,
        [
            "`anything.list.1.x` is less than 5, the least allowed value",
            "`email` is of type string and does not meet `bsonType`",
            "`name` does not meet `enum`",
            "`phone` is missing",
        ]
        .into()
    );

    let many = User::insert_many(&db, [&value]).await.unwrap_err();
    assert!(matches!(many.cause(), Error::DocumentInvalid { .. }));
    assert!(!many.to_string().contains("secret"), "{many}");

    // A validator that is not a $jsonSchema.
    db.run_command(doc! { "collMod": "users", "validator": { "$expr": { "$gt": ["$_id", 5] } } }).await.unwrap();
    let error = User::insert(&db, &user(1, "secret")).await.unwrap_err();
    let Error::DocumentInvalid { failures, .. } = &error else { panic!("{error:?}") };
    assert_eq!((failures[0].field.as_str(), failures[0].rule.as_str(), failures.len()), ("", "$expr", 1));
    assert_eq!(
        error.to_string(),
        "a document of `users` does not pass the collection's validator: the document does not meet `$expr`"
    );
}

#[tokio::test]
async fn a_document_over_16_mib_is_refused_before_it_is_sent() {
    let (db, log) = schema_tests::database_with_log().await;
    let huge = User { name: "x".repeat(16 * 1024 * 1024), ..user(1, "") };
    User::insert(&db, &user(1, "")).await.unwrap();
    let (result, names) = sent(&log, async {
        let inserted = User::insert(&db, &huge).await.unwrap_err();
        let replaced = User::replace(&db, &huge).await.unwrap_err();
        let many = User::insert_many(&db, &[user(2, ""), huge.clone()]).await.unwrap_err();
        assert!(matches!(many, Error::InsertMany { inserted: 0, index: Some(1), .. }), "{many}");
        [inserted, replaced]
    })
    .await;
    assert_eq!(names, [] as [&str; 0]);
    for error in result {
        match error {
            Error::DocumentTooLarge { model: "User", size: Some(size), limit: 16_777_216 } => {
                assert!(size > 16_777_216)
            }
            other => panic!("{other}"),
        }
    }
    let stored = db.collection::<Document>("users").count_documents(doc! {}).await.unwrap();
    assert_eq!(stored, 1);
}

#[tokio::test]
async fn another_error_stays_the_drivers() {
    let db = schema_tests::database().await;
    db.create_collection("users").await.unwrap();
    let error = User::find(Filter::raw(doc! { "$unknown": "secret" })).fetch_all(&db).await.unwrap_err();
    assert!(matches!(error, Error::Driver(_)), "{error}");
    assert_eq!(error.to_string(), "the server refused the command with code 2 (BadValue)");
    assert!(format!("{error:?}").contains("$unknown"), "the server's own words are for who debugs: {error:?}");

    // The server repeats the value in the message.
    let things = db.collection::<Document>("things");
    things.insert_one(doc! { "_id": "secret", "email": "" }).await.unwrap();
    let refused = things.update_one(doc! {}, doc! { "$inc": { "email": 1 } }).await.unwrap_err();
    assert!(refused.to_string().contains("secret"), "{refused}");
    let error = Error::from(refused);
    assert_eq!(error.to_string(), "the server refused the write with code 14");
    assert!(std::error::Error::source(&error).is_none(), "whoever logs the sources logs the text only");
}

/// The error after a failure that does not concern a single document: the batches before the failure are stored.
#[tokio::test]
async fn an_insert_that_breaks_off_says_what_is_surely_stored() {
    let (db, log) = schema_tests::database_with_log().await;
    let large = |id| User { name: "x".repeat(1024 * 1024), ..user(id, "") };
    let many: Vec<_> = (0..60).map(large).collect();
    let not_supported = doc! { "failCommands": ["insert"], "errorCode": 8000 };
    let failing = schema_tests::fail_command(&db, doc! { "skip": 1 }, not_supported).await;
    let (result, names) = sent(&log, User::insert_many(&db, &many)).await;
    failing.clear().await;
    let error = result.unwrap_err();
    assert_eq!(names, ["insert", "insert"]);
    let Error::InsertMany { inserted, index: None, source, .. } = &error else { panic!("{error:?}") };
    assert!(matches!(**source, Error::Driver(_)));
    let stored = db.collection::<Document>("users").count_documents(doc! {}).await.unwrap();
    assert_eq!(*inserted as u64, stored);
    assert!(stored > 40 && stored < 60, "{stored}");
}

/// A loop that goes on after an error comes to an end.
#[tokio::test]
async fn a_stream_ends_after_an_error_of_the_server() {
    let (db, log) = schema_tests::database_with_log().await;
    let many: Vec<_> = (0..2_500).map(|id| user(id, "")).collect();
    User::insert_many(&db, &many).await.unwrap();
    let failing =
        schema_tests::fail_command(&db, "alwaysOn", doc! { "failCommands": ["getMore"], "errorCode": 8000 }).await;
    let (items, names) =
        sent(&log, async { User::find(Filter::all()).stream(&db).await.unwrap().collect::<Vec<_>>().await }).await;
    failing.clear().await;
    assert_eq!(names, ["find", "getMore"]);
    assert_eq!(items.len(), 1_001);
    assert!(items[..1_000].iter().all(Result::is_ok));
    assert!(matches!(items[1_000], Err(Error::Driver(_))));
}
