//! `schema.create(&db)`: collections exist before the first write.

use mongodb::bson::doc;
use schema_runtime::{prelude::*, transaction};
use schema_tests::{database, database_with_log, fail_command};

use super::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "1MiB"))]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique)]
    number: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: i64,
    #[index]
    name: String,
}

#[tokio::test]
async fn missing_collections_are_made_whole_and_others_stay() {
    let (db, log) = database_with_log().await;
    db.create_collection("things").await.expect("made");
    log.clear();
    let schema = schema![Event, Thing];
    schema.create(&db).await.expect("made");
    assert_eq!(names(&db, "events").await, ["_id_", "number_1"]);
    assert!(options(&db, "events").await.contains_key("validator"));
    assert_eq!((log.named("collMod").len(), options(&db, "things").await), (0, doc! {}));
    log.clear();
    schema.create(&db).await.expect("nothing to be done");
    assert_eq!((log.named("create").len(), log.named("createIndexes").len()), (0, 0));
}

#[tokio::test]
async fn several_clients_at_once_make_each_collection_once() {
    let db = database().await;
    let schema = schema![Event, Thing];
    let (a, b, c) = tokio::join!(schema.create(&db), schema.create(&db), schema.create(&db));
    [a, b, c].into_iter().collect::<Result<Vec<()>>>().expect("each succeeds");
    is_settled(schema, &db).await;
}

#[tokio::test]
async fn a_failure_has_the_reason_and_the_next_call_goes_on() {
    let db = database().await;
    let schema = schema![Event, Thing];
    for (command, mode) in [("create", doc! { "times": 1 }), ("create", doc! { "skip": 1 })] {
        let failure = fail_command(&db, mode, doc! { "failCommands": [command], "errorCode": 13 }).await;
        let failed = schema.create(&db).await;
        failure.clear().await;
        assert!(failed.expect_err("the command fails").to_string().contains("createCollection"));
    }
    schema.create(&db).await.expect("the rest");
    is_settled(schema, &db).await;
}

/// An insert of a transaction makes a missing collection, and the collection of `create` takes the insert.
#[tokio::test]
async fn a_transaction_inserts_into_a_made_collection() {
    let db = database().await;
    schema![Thing].create(&db).await.expect("made");
    transaction(&db, |tx| async move { Thing::insert(&tx, &Thing { id: 1, name: "a".to_owned() }).await })
        .await
        .expect("inserted");
    assert_eq!(Thing::get_by_id(&db, &1).await.expect("read").name, "a");
}
