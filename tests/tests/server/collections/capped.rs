//! Capped collections.

use mongodb::bson::doc;
use schema_runtime::{
    Error,
    apply::{ApplyOptions, Outcome},
    plan::{Change, Needs},
    prelude::*,
    transaction,
};
use schema_tests::{database, database_with_log};

use super::*;

mod plain {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "events")]
    #[index(kind, desc(at))]
    pub(super) struct Event {
        #[serde(rename = "_id")]
        id: i64,
        kind: String,
        at: i64,
    }
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "events", capped(size = "5000B", max = 3))]
#[index(kind, desc(at))]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 500)]
    kind: String,
    #[check(min = 0)]
    at: i64,
}

fn event(id: i64) -> Event {
    Event { id, kind: "a".to_owned(), at: id }
}

#[tokio::test]
async fn a_capped_collection_is_made_and_deletes_the_oldest_documents() {
    let db = database().await;
    let schema = schema![Event];
    let plan = planned(schema, &db).await;
    assert_eq!(
        plan.to_string(),
        "events (Event)
  + collection {capped: true, size: 5120, max: 3}, validator strict error
  + index kind_1_at_-1 {kind: 1, at: -1}
"
    );
    plan.apply(&db).await.and_then(|report| report.complete()).expect("made");
    is_settled(schema, &db).await;
    let options = options(&db, "events").await;
    assert!(options.get_bool("capped").expect("capped") && options.contains_key("validator"), "{options}");
    Event::insert_many(&db, (0..5).map(event)).await.expect("inserted");
    let stored = Event::find(Event::F.kind.eq("a")).sort(Event::F.id.desc()).fetch_all(&db).await.expect("read");
    assert_eq!(stored, [event(4), event(3), event(2)]);
}

/// MongoDB 6.0 updates and deletes documents of a capped collection.
#[tokio::test]
async fn documents_are_updated_and_deleted() {
    let db = database().await;
    schema![Event].create(&db).await.expect("made");
    Event::insert_many(&db, &[event(1), event(2)]).await.expect("inserted");
    Event::update_by_id(1).set(Event::F.kind, "a longer kind".repeat(20)).execute(&db).await.expect("grown");
    assert!(Event::get_by_id(&db, &1).await.expect("read").kind.len() > 200);
    let refused = Event::update_by_id(1).set(Event::F.at, -1).execute(&db).await.expect_err("the rule");
    assert!(matches!(refused, Error::DocumentInvalid { .. }), "{refused}");
    Event::delete_by_id(&db, &2).await.expect("deleted");
    assert_eq!(Event::find(Filter::all()).count(&db).await.expect("counted"), 1);
}

/// The server refuses each write of a transaction, and the crate reports the refusal.
#[tokio::test]
async fn a_transaction_writes_no_capped_collection() {
    let db = database().await;
    schema![Event].create(&db).await.expect("made");
    let refused = transaction(&db, |tx| async move { Event::insert(&tx, &event(1)).await }).await.expect_err("refused");
    assert!(refused.to_string().contains("263"), "{refused}");
    assert_eq!(Event::find(Filter::all()).count(&db).await.expect("counted"), 0);
}

#[tokio::test]
async fn a_plain_collection_becomes_capped_only_on_request_and_keeps_the_indexes() {
    let (db, log) = database_with_log().await;
    applied(schema![plain::Event], &db).await;
    let raw = db.collection::<Document>("events");
    raw.insert_many((0..5).map(|id| doc! { "_id": id, "kind": "a", "at": 1_i64 })).await.expect("inserted");
    for index in [
        doc! { "key": { "at": 1 }, "name": "theirs", "hidden": true, "collation": { "locale": "nb" } },
        doc! { "key": { "at": -1 }, "name": "expires", "expireAfterSeconds": 9 },
    ] {
        db.run_command(doc! { "createIndexes": "events", "indexes": [index] }).await.expect("made");
    }
    let schema = schema![Event];
    let plan = planned(schema, &db).await;
    let convert = &plan.steps()[0];
    assert_eq!(convert.needs(), Needs::Convert);
    let text = plan.to_string();
    for line in [
        "  ~ the collection becomes capped, of 5120 bytes and 3 documents (only with `convert`)",
        "      the oldest documents that have no place are deleted",
        "      ~ index kind_1_at_-1 {kind: 1, at: -1}, dropped and made again",
        "      ~ index theirs {at: 1} hidden, collation nb, dropped and made again",
        "      - index expires {at: -1} expires after 9 s, dropped",
    ] {
        assert!(text.lines().any(|has| has == line), "{line} is not in\n{text}");
    }
    let report = plan.apply(&db).await.expect("a report");
    assert!(matches!(report.entries()[0].outcome, Outcome::NotRequested(Needs::Convert)), "{report}");
    assert_eq!(raw.count_documents(doc! {}).await.expect("counted"), 5);

    log.clear();
    let plan = planned(schema, &db).await;
    plan.apply_with(&db, ApplyOptions::new().convert(true)).await.and_then(|report| report.complete()).expect("done");
    assert_eq!(log.named("convertToCapped").len(), 1);
    assert_eq!(names(&db, "events").await, ["_id_", "kind_1_at_-1", "theirs"]);
    let left = planned(schema, &db).await;
    assert!(matches!(steps(&left)[..], [Change::DropIndex { .. }]), "{left}");
    // The same plan again finds the work done.
    plan.apply_with(&db, ApplyOptions::new().convert(true)).await.and_then(|report| report.complete()).expect("done");
    assert_eq!(log.named("convertToCapped").len(), 1);
}

#[tokio::test]
async fn a_capped_collection_grows_in_place_and_shrinks_only_on_request() {
    for (made, needs) in [
        (doc! { "size": 1024, "max": 3 }, vec![Needs::Nothing]),
        (doc! { "size": 5120, "max": 2 }, vec![Needs::Nothing]),
        (doc! { "size": 5120 }, vec![Needs::Shrink]),
        (doc! { "size": 5_376, "max": 9 }, vec![Needs::Shrink, Needs::Shrink]),
        (doc! { "size": 1024, "max": 9 }, vec![Needs::Nothing, Needs::Shrink]),
        (doc! { "size": 5119, "max": 3 }, vec![]),
    ] {
        let db = database().await;
        applied(schema![Event], &db).await;
        let rule = options(&db, "events").await;
        db.collection::<Document>("events").drop().await.expect("dropped");
        let mut create = doc! { "create": "events", "capped": true };
        create.extend(made.clone());
        for word in ["validator", "validationLevel", "validationAction"] {
            create.insert(word, rule.get(word).expect("the rule").clone());
        }
        db.run_command(create).await.expect("made");
        applied_indexes(&db).await;
        let plan = planned(schema![Event], &db).await;
        assert_eq!(plan.steps().iter().map(|step| step.needs()).collect::<Vec<_>>(), needs, "{made}: {plan}");
        assert_eq!(plan.to_string().contains("are deleted by the next insert"), needs.contains(&Needs::Shrink));
        forced(schema![Event], &db).await;
        is_settled(schema![Event], &db).await;
        let options = options(&db, "events").await;
        assert_eq!((options.get_i32("size").ok(), options.get_i32("max").ok()), (Some(5120), Some(3)), "{options}");
    }
}

async fn applied_indexes(db: &Database) {
    let index = doc! { "key": { "kind": 1, "at": -1 }, "name": "kind_1_at_-1" };
    db.run_command(doc! { "createIndexes": "events", "indexes": [index] }).await.expect("made");
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "5000B"))]
struct Unlimited {
    #[serde(rename = "_id")]
    id: i64,
}

#[tokio::test]
async fn a_limit_of_documents_is_taken_away_in_place() {
    let db = database().await;
    applied(schema![Event], &db).await;
    let plan = planned(schema![Unlimited], &db).await;
    let taken = plan.steps().iter().find(|step| matches!(step.change, Change::SetOption { .. })).expect("the step");
    assert_eq!(taken.needs(), Needs::Nothing);
    forced(schema![Unlimited], &db).await;
    is_settled(schema![Unlimited], &db).await;
}
