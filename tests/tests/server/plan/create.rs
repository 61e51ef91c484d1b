//! A plan for an empty database.

// Two indexes may have a field in common.
#![allow(clippy::duplicated_attributes)]

use mongodb::bson::doc;
use schema_runtime::{
    Error, Schema,
    apply::Outcome,
    definition::{CollectionOptions, ExtraFields, FieldDefinition, Kind, ModelDefinition, Shape},
    plan::Change,
    prelude::*,
};
use schema_tests::{
    database, database_with_log,
    models::{Host, LogMsg},
};

use super::*;
use crate::connect::fake;

/// Every kind of index.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "things", validation(level = moderate, action = warn))]
#[serde(rename_all = "camelCase")]
#[index(group_name, desc(seen_at), unique, name = "by_group")]
#[index(place.city)]
#[index(seen_at, group_name, partial(gt(amount, 0), exists(nick), lte(amount, 99.5)))]
struct Thing {
    #[serde(rename = "_id")]
    id: i64,
    group_name: String,
    #[index(ttl = "30d")]
    seen_at: DateTime,
    #[index(hashed)]
    owner: ObjectId,
    #[index(geo)]
    location: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    #[index(unique, sparse)]
    nick: Option<String>,
    #[index(unique)]
    email: Option<String>,
    amount: f64,
    #[relation(one_to_one, embed)]
    place: Place,
    #[bound(max_items = 3)]
    #[index]
    tags: Vec<String>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    city: String,
}

#[tokio::test]
async fn collections_validators_and_indexes_come_from_nothing() {
    let db = database().await;
    let schema = schema![Host, LogMsg];
    let plan = planned(schema, &db).await;
    assert!(matches!(
        changes(&plan)[..],
        [
            Change::CreateCollection { .. },
            Change::CreateIndex { .. },
            Change::CreateCollection { .. },
            Change::CreateIndex { .. }
        ]
    ));
    assert_eq!(
        plan.to_string(),
        "hosts (Host)
  + collection, validator strict error
  + index ipaddr_1 {ipaddr: 1} unique
logmsg (LogMsg)
  + collection, validator strict error
  + index host_1_time_-1__id_-1 {host: 1, time: -1, _id: -1}
"
    );
    let report = plan.apply(&db).await.expect("a report");
    assert_eq!(report.done().count(), 4);
    assert!(report.to_string().starts_with("done: hosts: collection, validator strict error\n"), "{report}");

    assert_eq!(names(&db, "hosts").await, ["ipaddr_1"]);
    assert_eq!(names(&db, "logmsg").await, ["host_1_time_-1__id_-1"]);
    assert_eq!(options(&db, "hosts").await.get_str("validationLevel").ok(), Some("strict"));
    is_settled(schema, &db).await;
}

#[tokio::test]
async fn every_kind_of_index_is_made_and_recognised() {
    let db = database().await;
    let schema = schema![Thing];
    applied(schema, &db).await;
    let made = listed(&db, "things").await;
    let found = |name: &str| {
        let index = made.iter().find(|index| index.get_str("name").ok() == Some(name));
        index.unwrap_or_else(|| panic!("no {name} in {made:?}")).clone()
    };
    assert_eq!(found("by_group").get_document("key").expect("keys"), &doc! { "groupName": 1, "seenAt": -1 });
    assert_eq!(found("by_group").get_bool("unique").ok(), Some(true));
    assert_eq!(found("seenAt_1").get("expireAfterSeconds").expect("a TTL").to_string(), "2592000");
    assert_eq!(found("owner_hashed").get_document("key").expect("keys"), &doc! { "owner": "hashed" });
    assert_eq!(found("location_2dsphere").get_document("key").expect("keys"), &doc! { "location": "2dsphere" });
    assert_eq!(found("nick_1").get_bool("sparse").ok(), Some(true));
    assert_eq!(
        found("email_1").get_document("partialFilterExpression").expect("a filter"),
        &doc! { "email": { "$gte": "" } }
    );
    assert_eq!(
        found("seenAt_1_groupName_1").get_document("partialFilterExpression").expect("a filter"),
        &doc! { "amount": { "$gt": 0_i64, "$lte": 99.5 }, "nick": { "$exists": true } }
    );
    assert_eq!(found("place.city_1").get_document("key").expect("keys"), &doc! { "place.city": 1 });
    assert_eq!(made.len(), 1 + 9);
    let options = options(&db, "things").await;
    assert_eq!(options.get_str("validationLevel").ok(), Some("moderate"));
    assert_eq!(options.get_str("validationAction").ok(), Some("warn"));
    is_settled(schema, &db).await;
}

#[tokio::test]
async fn a_second_apply_changes_nothing_not_even_of_the_same_plan() {
    let (db, log) = database_with_log().await;
    let schema = schema![Host, LogMsg, Thing];
    let plan = planned(schema, &db).await;
    assert_eq!(changing(&log), Vec::<String>::new(), "planning changes nothing");
    plan.apply(&db).await.and_then(|report| report.complete()).expect("every step is done");
    assert_eq!(changing(&log), ["create", "createIndexes"].repeat(3), "three collections, each with its indexes");

    log.clear();
    let report = plan.apply(&db).await.expect("a report");
    assert!(report.entries().iter().all(|entry| matches!(entry.outcome, Outcome::AlreadyDone)), "{report}");
    let report = planned(schema, &db).await.apply(&db).await.expect("a report");
    assert_eq!(report.to_string(), "nothing to change\n");
    assert_eq!(changing(&log), Vec::<String>::new());
}

#[tokio::test]
async fn two_programs_may_apply_at_the_same_time() {
    let db = database().await;
    let schema = schema![Host, LogMsg, Thing];
    let plans = [planned(schema, &db).await, planned(schema, &db).await];
    let [first, second] = plans.each_ref().map(|plan| plan.apply(&db));
    let (first, second) = tokio::join!(first, second);
    for report in [first, second] {
        report.and_then(|report| report.complete()).expect("every step is done, by one or the other");
    }
    is_settled(schema, &db).await;
}

#[tokio::test]
async fn an_old_server_is_refused() {
    let client = mongodb::Client::with_uri_str(fake::server("5.0.31", 13)).await.expect("a client");
    let refused = schema![Host, LogMsg].plan(&client.database("shop")).await;
    assert!(matches!(&refused, Err(Error::ServerTooOld { found }) if found == "5.0.31"), "{refused:?}");
}

#[tokio::test]
async fn two_models_of_one_collection_are_refused() {
    const ID: FieldDefinition = FieldDefinition::new("id", "_id", Shape::new(Kind::String { max_len: None }));
    const fn model(name: &'static str) -> ModelDefinition {
        ModelDefinition {
            name,
            model: name,
            collection: "shared",
            fields: &[ID],
            variants: None,
            relations: &[],
            inverses: &[],
            mirrors: &[],
            copies: &[],
            copied_to: &[],
            rollups: &[],
            queries: &[],
            shard_key: None,
            all_indexes: &[],
            options: CollectionOptions::DEFAULT,
            read_only: false,
            insert_only: false,
            allows: &[],
            whole: true,
            search_indexes: &[],
            document_rules: &[],
            bucket: None,
            document: None,
            extra: ExtraFields::Drop,
            strict: false,
        }
    }
    static FIRST: ModelDefinition = model("First");
    static SECOND: ModelDefinition = model("Second");
    let (db, log) = database_with_log().await;
    static BOTH: [&ModelDefinition; 2] = [&FIRST, &SECOND];
    let refused = Schema::new(&BOTH).plan(&db).await;
    let Err(Error::DefinitionConflict { collection, message }) = refused else { panic!("{refused:?}") };
    assert_eq!(collection, "shared");
    assert!(message.contains("`First`") && message.contains("`Second`"), "{message}");
    assert!(log.commands().is_empty());
}

/// A single read of the collection builds all of its indexes, and a majority has the indexes when `apply` returns.
#[tokio::test]
async fn the_indexes_of_a_collection_are_built_together() {
    let (db, log) = schema_tests::database_with_log().await;
    raw(&db, "shops").insert_one(doc! { "_id": 1, "name": "a", "city": "b", "rank": 1 }).await.expect("inserted");
    let plan = planned(schema![Shop], &db).await;
    log.clear();
    let report = plan.apply(&db).await.expect("a report");
    assert_eq!(report.done().count(), 4, "{report}");
    assert_eq!(changing(&log), ["collMod", "createIndexes"]);
    for (name, command) in log.commands().into_iter().filter(|(name, _)| CHANGING.contains(&name.as_str())) {
        assert_eq!(command.get_document("writeConcern").expect("it has one"), &doc! { "w": "majority" }, "{name}");
    }
    is_settled(schema![Shop], &db).await;
}

/// If an index cannot be built, the remaining indexes are built.
#[tokio::test]
async fn one_index_that_cannot_be_built_keeps_no_other_from_it() {
    let (db, log) = schema_tests::database_with_log().await;
    let shop = |id: i32| doc! { "_id": id, "name": "a", "city": "b", "rank": id };
    raw(&db, "shops").insert_many([shop(1), shop(2)]).await.expect("inserted");
    let plan = planned(schema![Shop], &db).await;
    log.clear();
    let report = plan.apply(&db).await.expect("a report");
    assert_eq!((report.done().count(), report.failures().count()), (3, 1), "{report}");
    assert_eq!(changing(&log), ["collMod", "createIndexes", "createIndexes", "createIndexes", "createIndexes"]);
    assert_eq!(names(&db, "shops").await, ["city_1", "rank_1"]);
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: i32,
    #[index(unique)]
    name: String,
    #[index]
    city: String,
    #[index]
    rank: i32,
}
