//! Each cause that any operation may have, made on a real server.

use std::time::Duration;

use mongodb::{
    Client,
    bson::{Document, doc},
    options::ClientOptions,
};
use schema_runtime::{Limit, prelude::*};
use schema_tests::{database, fail_command};

use super::{User, user};

/// Returns the error of every operation, while the commands fail in this way.
async fn every_operation(db: &Database, failure: Document) -> Vec<(&'static str, Error)> {
    let commands = ["find", "insert", "update", "delete", "aggregate"];
    let mut data = doc! { "failCommands": commands.to_vec() };
    data.extend(failure);
    let point = fail_command(db, "alwaysOn", data).await;
    let one = user(7, "seven");
    let results = vec![
        ("find", User::find(Filter::all()).fetch_all(db).await.map(drop)),
        ("stream", User::find(Filter::all()).stream(db).await.map(drop)),
        ("count", User::find(Filter::all()).count(db).await.map(drop)),
        ("insert", User::insert(db, &one).await),
        ("insert_many", User::insert_many(db, [&one]).await),
        ("replace", User::replace(db, &one).await),
        ("delete", User::delete(db, &one).await.map(drop)),
    ];
    point.clear().await;
    let failed = |(name, result): (_, Result<()>)| (name, result.expect_err(name));
    results.into_iter().map(failed).collect()
}

#[tokio::test]
async fn a_lost_connection_is_one_cause_in_every_operation() {
    let db = database().await;
    User::insert(&db, &user(1, "one")).await.unwrap();
    for (name, error) in every_operation(&db, doc! { "closeConnection": true }).await {
        let Error::Connection { address, sent: true, .. } = error.cause() else { panic!("{name}: {error:?}") };
        assert_eq!(address, "", "{name}");
        assert!(error.cause().to_string().starts_with("no MongoDB server answers: "), "{name}: {error}");
    }
    // The primary steps down, and the single retry gets the same error.
    for (name, error) in every_operation(&db, doc! { "errorCode": 10107 }).await {
        let Error::Connection { message, sent: true, .. } = error.cause() else { panic!("{name}: {error:?}") };
        assert_eq!(message, "the server is no primary now: code 10107 (NotWritablePrimary)", "{name}");
    }
}

#[tokio::test]
async fn a_reply_that_does_not_come_is_the_same_cause_in_a_stream() {
    let db = database().await;
    let many: Vec<_> = (0..1_001).map(|id| user(id, "")).collect();
    User::insert_many(&db, &many).await.unwrap();
    let mut stream = User::find(Filter::all()).stream(&db).await.unwrap();
    let failure = doc! { "failCommands": ["getMore"], "closeConnection": true };
    let point = fail_command(&db, "alwaysOn", failure).await;
    for _ in 0..1_000 {
        stream.next().await.unwrap().unwrap();
    }
    let last = stream.next().await.unwrap();
    point.clear().await;
    assert!(matches!(last, Err(Error::Connection { sent: true, .. })), "{last:?}");
    assert!(stream.next().await.is_none());
}

#[tokio::test]
async fn a_server_that_is_not_there_is_reported_as_not_asked() {
    let address = crate::connect::silent_address();
    let mut options = ClientOptions::parse(format!("mongodb://{address}")).await.unwrap();
    options.server_selection_timeout = Some(Duration::from_millis(200));
    let db = Client::with_options(options).unwrap().database("shop");
    for error in [
        User::insert(&db, &user(1, "secret")).await.unwrap_err(),
        User::find(User::F.name.eq("secret")).fetch_all(&db).await.unwrap_err(),
        schema![User].plan(&db).await.unwrap_err(),
    ] {
        let Error::Connection { message, sent: false, .. } = &error else { panic!("{error:?}") };
        assert!(message.contains("Server selection timeout"), "{message}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

#[tokio::test]
async fn a_time_limit_says_which() {
    let db = database().await;
    for (code, limit, text) in [
        (50, Limit::Operation, "the operation took too long: the operation's time limit (`maxTimeMS`) was reached"),
        (24, Limit::Lock, "the operation took too long: the wait for a lock was reached"),
        (202, Limit::Network, "the operation took too long: the wait for the network was reached"),
        (
            290,
            Limit::Transaction,
            "the operation took too long: the lifetime of a transaction (`transactionLifetimeLimitSeconds`) was \
             reached",
        ),
    ] {
        for (name, error) in every_operation(&db, doc! { "errorCode": code }).await {
            let Error::TimedOut { limit: found } = error.cause() else { panic!("{name}: {error:?}") };
            assert_eq!((*found, error.cause().to_string().as_str()), (limit, text), "{name}");
        }
    }
}

#[tokio::test]
async fn a_server_that_is_out_of_reach_and_a_conflict_are_causes() {
    let db = database().await;
    for code in [6, 7, 189, 9001] {
        for (name, error) in every_operation(&db, doc! { "errorCode": code }).await {
            assert!(matches!(error.cause(), Error::Connection { sent: true, .. }), "{name}: {error:?}");
        }
    }
    for (name, error) in every_operation(&db, doc! { "errorCode": 112 }).await {
        assert!(matches!(error.cause(), Error::WriteConflict), "{name}: {error:?}");
    }
}

/// The server keeps the time limit: a command that runs too long is ended.
#[tokio::test]
async fn a_time_limit_of_the_server_is_kept_by_the_server() {
    let db = database().await;
    User::insert(&db, &user(1, "one")).await.unwrap();
    let slow = doc! { "$where": "sleep(500) || true" };
    let refused = User::collection(&db).find(slow).max_time(Duration::from_millis(20)).await.map(drop).unwrap_err();
    let error = Error::from(refused);
    assert!(matches!(error, Error::TimedOut { limit: Limit::Operation }), "{error:?}");
}

/// The write is done on the primary, and further members have not confirmed the write in time.
#[tokio::test]
async fn a_write_concern_that_is_not_met_in_time_says_that_the_write_is_done() {
    let db = database().await;
    let unmet =
        doc! { "code": 64, "codeName": "WriteConcernFailed", "errmsg": "secret", "errInfo": { "wtimeout": true } };
    let failure = doc! { "failCommands": ["insert"], "writeConcernError": unmet };
    let point = fail_command(&db, "alwaysOn", failure).await;
    let one = User::insert(&db, &user(1, "one")).await.unwrap_err();
    let many = User::insert_many(&db, [&user(2, "two")]).await.unwrap_err();
    point.clear().await;
    let text = "the operation took too long: the time limit of the write concern (`wtimeout`), with the write done on \
                the primary was reached";
    for error in [one, many] {
        assert!(matches!(error.cause(), Error::TimedOut { limit: Limit::WriteConcern }), "{error:?}");
        assert!(error.to_string().ends_with(text), "{error}");
    }
    assert_eq!(User::find(Filter::all()).count(&db).await.unwrap(), 2);

    let other = doc! { "code": 100, "codeName": "UnsatisfiableWriteConcern", "errmsg": "secret" };
    let failure = doc! { "failCommands": ["insert"], "writeConcernError": other };
    let point = fail_command(&db, "alwaysOn", failure).await;
    let error = User::insert(&db, &user(3, "three")).await.unwrap_err();
    point.clear().await;
    let text = "the write is done, but the write concern failed with code 100 (UnsatisfiableWriteConcern)";
    assert_eq!(error.to_string(), text);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    author: Option<Ref<User>>,
    stars: u64,
}

#[tokio::test]
async fn a_dangling_reference_says_which_relation_and_where() {
    let db = database().await;
    let id = ObjectId::new();
    let note = Note { id, author: Some(Ref::new(404)), stars: 1 };
    let error = note.author().fetch_one(&db).await.unwrap_err();
    let Error::DanglingReference { relation, model: "Note", field, collection: "users", id: missing, holder } = &error
    else {
        panic!("{error:?}")
    };
    assert_eq!((relation.as_str(), &**missing), ("Note.author", &mongodb::bson::Bson::Int64(404)));
    assert_eq!((field.as_str(), &**holder), ("author", &mongodb::bson::Bson::ObjectId(id)));
    let text = format!("`Note.author` of the document {id} refers to a document that `users` does not have");
    assert_eq!(error.to_string(), text, "an `_id` that is an ObjectId is said, a number is not");

    let error = Note { author: None, ..note }.author().fetch_one(&db).await.unwrap_err();
    assert_eq!(error.to_string(), "no document of `User` in `users` matches");
}

#[tokio::test]
async fn a_document_that_does_not_fit_is_reported_without_its_values() {
    let db = database().await;
    let id = ObjectId::new();
    let stored = doc! { "_id": id, "author": 1_i64, "stars": "secret" };
    db.collection::<Document>("notes").insert_one(stored).await.unwrap();
    let error = Note::get_by_id(&db, &id).await.unwrap_err();
    assert!(matches!(&error, Error::Decode { message, .. } if message.contains("secret")), "{error:?}");
    let place = format!("the document {id} of `notes` does not fit `Note` at `stars`: ");
    assert_eq!(error.to_string(), place + "found a string, expected u64");

    let stored = doc! { "_id": 5_i64, "email": "a", "name": "b" };
    db.collection::<Document>("users").insert_one(stored).await.unwrap();
    let error = User::get_by_id(&db, &5).await.unwrap_err();
    assert_eq!(error.to_string(), "a document of `users` does not fit `User`: the field `anything` is missing");

    let note = Note { id: ObjectId::new(), author: None, stars: u64::MAX };
    let error = Note::insert(&db, &note).await.unwrap_err();
    assert_eq!(error.to_string(), "a value cannot be written as BSON: a number is above `i64::MAX`");
}
