//! Hidden indexes: made, hidden and shown in place, and left alone when declared.

// Two indexes may have a field in common.
#![allow(clippy::duplicated_attributes)]

use mongodb::bson::doc;
use schema_runtime::{Error, definition::IndexOrigin, plan::Note, prelude::*, review::IndexAsker};
use schema_tests::{database, database_with_log, fail_command};

use super::*;

/// Defines a model of the collection `things` with two indexes.
macro_rules! thing {
    ($module:ident, $(#[$index:meta])*) => {
        mod $module {
            use super::*;
            #[derive(Model, Serialize, Deserialize)]
            #[model(collection = "things")]
            $(#[$index])*
            pub(super) struct Thing {
                #[serde(rename = "_id")]
                pub(super) id: i64,
                pub(super) seen: DateTime,
                pub(super) name: String,
            }
        }
    };
}

thing!(shown, #[index(seen, ttl = "1h")] #[index(name, unique)]);
thing!(hidden, #[index(seen, ttl = "1h", hidden)] #[index(name, unique, hidden)]);
thing!(later, #[index(seen, ttl = "2h")] #[index(name, unique, hidden)]);

#[tokio::test]
async fn an_index_is_hidden_and_shown_in_place() {
    let (db, log) = database_with_log().await;
    applied(schema![shown::Thing], &db).await;
    for (schema, hidden) in [(schema![hidden::Thing], true), (schema![shown::Thing], false)] {
        log.clear();
        let plan = planned(schema, &db).await;
        let [Change::ChangeIndex { .. }, Change::ChangeIndex { .. }] = changes(&plan)[..] else { panic!("{plan}") };
        plan.apply(&db).await.and_then(|report| report.complete()).expect("every step is done");
        assert_eq!(changing(&log), ["collMod", "collMod"]);
        for index in &listed(&db, "things").await[1..] {
            assert_eq!(index.get_bool("hidden").unwrap_or_default(), hidden, "{index}");
        }
        is_settled(schema, &db).await;
    }
}

#[tokio::test]
async fn a_hidden_index_is_made_hidden_and_noted() {
    let (db, log) = database_with_log().await;
    applied(schema![hidden::Thing], &db).await;
    let created = &log.named("createIndexes")[0];
    assert!(
        created
            .get_array("indexes")
            .expect("indexes")
            .iter()
            .all(|index| { index.as_document().is_some_and(|index| index.get_bool("hidden").ok() == Some(true)) })
    );
    let plan = planned(schema![hidden::Thing], &db).await;
    assert!(plan.is_empty(), "{plan}");
    let note = |index: &str| Note::HiddenIndex { collection: "things".to_owned(), index: index.to_owned() };
    assert_eq!(plan.notes(), [note("seen_1"), note("name_1")]);
    let thing = |id: i64| doc! { "_id": id, "seen": DateTime::now(), "name": "a" };
    raw(&db, "things").insert_one(thing(1)).await.expect("valid");
    raw(&db, "things").insert_one(thing(2)).await.expect_err("a hidden unique index guards uniqueness");
}

/// One `collMod` changes the time to live, another shows the index. The next apply finishes after an error between the
/// two commands.
#[tokio::test]
async fn a_stopped_change_is_finished_by_the_next_apply() {
    let db = database().await;
    applied(schema![hidden::Thing], &db).await;
    let refused = doc! { "failCommands": ["collMod"], "errorCode": 8000 };
    let failure = fail_command(&db, doc! { "skip": 1 }, refused).await;
    let plan = planned(schema![later::Thing], &db).await;
    let report = plan.apply(&db).await.expect("a report");
    failure.clear().await;
    report.complete().expect_err("the second command fails");
    let index = &listed(&db, "things").await[1];
    assert_eq!(index.get("expireAfterSeconds").map(ToString::to_string), Some("7200".to_owned()));
    assert_eq!(index.get_bool("hidden").ok(), Some(true));
    plan.apply(&db).await.and_then(|report| report.complete()).expect("the same plan finishes the change");
    is_settled(schema![later::Thing], &db).await;
}

/// A hidden index serves no read: a relation has a visible index beside the hidden index, a review names no hidden
/// index, and a hint of a hidden index is an error before the command is sent.
#[tokio::test]
async fn no_read_counts_on_a_hidden_index() {
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "hosts")]
    struct Host {
        #[serde(rename = "_id")]
        id: i64,
    }
    #[derive(Model, Serialize, Deserialize, Debug)]
    #[model(collection = "logmsg")]
    #[query(of_text(text), limit = 5)]
    #[index(host, time, hidden)]
    #[index(text, time, hidden)]
    struct LogMsg {
        #[serde(rename = "_id")]
        id: i64,
        #[relation(one_to_squillions, parent_ref)]
        host: Ref<Host>,
        text: String,
        time: i64,
    }
    let (db, log) = database_with_log().await;
    applied(schema![Host, LogMsg], &db).await;
    let visible = LogMsg::DEFINITION.indexes().filter(|index| !index.hidden).map(|index| index.origin);
    assert_eq!(visible.collect::<Vec<_>>(), [IndexOrigin::Relation("host"), IndexOrigin::Query("of_text")]);
    assert_eq!(names(&db, "logmsg").await, ["host_1__id_-1", "host_1_time_1", "text_1", "text_1_time_1"]);
    is_settled(schema![Host, LogMsg], &db).await;

    let review = schema![Host, LogMsg].review();
    let text = review.to_string();
    assert!(text.contains("text_1"), "{text}");
    for model in &review.models {
        for index in &model.indexes {
            let served = index.asked_by.iter().any(|asker| !matches!(asker, IndexAsker::Declared));
            assert_eq!(served, !index.name.ends_with("_time_1"), "{text}");
        }
    }
    log.clear();
    let error = LogMsg::find(LogMsg::F.text.eq("a")).hint("text_1_time_1").fetch_all(&db).await.expect_err("hidden");
    let Error::UnknownIndex { indexes, .. } = &error else { panic!("{error}") };
    assert_eq!(indexes, &["_id_", "host_1__id_-1", "text_1"]);
    assert_eq!(log.commands().len(), 0);
    LogMsg::find(LogMsg::F.text.eq("a")).hint("text_1").fetch_all(&db).await.expect("a visible index");
}
