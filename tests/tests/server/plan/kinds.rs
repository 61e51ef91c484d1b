//! Text, wildcard and plane indexes: made, compared without false differences, rebuilt on request, and kept over a
//! restart of the server.

use std::collections::BTreeMap;

use mongodb::{Database, bson::doc};
use schema_runtime::{
    apply::{ApplyOptions, Outcome},
    plan::Needs,
    prelude::*,
};
use schema_tests::{builder, database, database_with_log, fail_command};

use super::*;

/// Defines a model of the collection `things`.
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
                pub(super) tenant: i64,
                #[serde(rename = "Title")]
                pub(super) title: String,
                pub(super) body: String,
                #[serde(skip_serializing_if = "Option::is_none")]
                pub(super) lang: Option<String>,
                #[bound(max_items = 9)]
                pub(super) tags: Vec<String>,
                #[bound(max_items = 9)]
                pub(super) attributes: BTreeMap<String, String>,
                pub(super) inner: Inner,
                pub(super) place: [f64; 2],
            }
        }
    };
}

#[derive(Embed, Serialize, Deserialize)]
struct Inner {
    #[serde(rename = "Note")]
    note: String,
    count: i64,
}

thing!(none, #[serde(deny_unknown_fields)]);
thing!(text, #[index(text(title, body), weights(title = 10), language = "norwegian", language_field = lang)]);
thing!(heavier, #[index(text(title, body), weights(title = 11), language = "norwegian", language_field = lang)]);
thing!(english, #[index(text(title, body), weights(title = 10), language_field = lang)]);
thing!(fewer, #[index(text(body))]);
thing!(between, #[index(tenant, text(title, inner.note, tags), desc(inner.count))]);
thing!(all_text, #[index(wildcard_text, weights(title = 3), language = "none")]);
thing!(hidden_text, #[index(text(body), hidden)]);
thing!(partial_text, #[index(text(body), partial(gt(tenant, 5)))]);
thing!(wildcard, #[index(wildcard)]);
thing!(of_path, #[index(wildcard(attributes))] #[index(wildcard(inner))]);
thing!(only, #[index(wildcard, only(attributes, inner.note))]);
thing!(except, #[index(wildcard, except(body, title), name = "most")]);
thing!(several, #[index(wildcard)] #[index(wildcard, only(tags))] #[index(wildcard, except(body), hidden)]);
thing!(plane, #[index(geo_2d(place))]);
thing!(limits, #[index(geo_2d(place), tenant, bits = 20, min = -1.5, max = 1_000)]);
thing!(finer, #[index(geo_2d(place), tenant, bits = 30, min = -1.5, max = 1_000)]);
thing!(default_limits, #[index(geo_2d(place), bits = 26, min = -180, max = 180)]);

fn every() -> Vec<Schema> {
    vec![
        schema![text::Thing],
        schema![between::Thing],
        schema![all_text::Thing],
        schema![hidden_text::Thing],
        schema![partial_text::Thing],
        schema![wildcard::Thing],
        schema![of_path::Thing],
        schema![only::Thing],
        schema![except::Thing],
        schema![several::Thing],
        schema![plane::Thing],
        schema![limits::Thing],
        schema![default_limits::Thing],
    ]
}

#[tokio::test]
async fn each_kind_is_made_and_needs_nothing_more() {
    for schema in every() {
        let db = database().await;
        applied(schema, &db).await;
        is_settled(schema, &db).await;
        db.drop().await.expect("dropped");
    }
}

#[tokio::test]
async fn each_kind_needs_nothing_after_a_restart_of_the_server() {
    let server = builder().own(true).start().await.expect("a server");
    for (at, schema) in every().into_iter().enumerate() {
        applied(schema, &server.database(&format!("db{at}")).await.expect("a database")).await;
    }
    server.kill(0).await.expect("killed");
    server.restart(0).await.expect("started");
    for (at, schema) in every().into_iter().enumerate() {
        is_settled(schema, &server.database(&format!("db{at}")).await.expect("a database")).await;
    }
}

#[tokio::test]
async fn the_server_has_what_the_attribute_says() {
    let db = database().await;
    applied(schema![text::Thing], &db).await;
    let text = &listed(&db, "things").await[1];
    assert_eq!(text.get_str("name").ok(), Some("Title_text_body_text"));
    assert_eq!(text.get_document("weights").ok(), Some(&doc! { "Title": 10, "body": 1 }));
    assert_eq!(text.get_str("default_language").ok(), Some("norwegian"));
    assert_eq!(text.get_str("language_override").ok(), Some("lang"));
    for (schema, keys, option, value) in [
        (
            schema![between::Thing],
            doc! { "tenant": 1, "_fts": "text", "_ftsx": 1, "inner.count": -1 },
            "weights",
            doc! { "Title": 1, "inner.Note": 1, "tags": 1 },
        ),
        (schema![all_text::Thing], doc! { "_fts": "text", "_ftsx": 1 }, "weights", doc! { "$**": 1, "Title": 3 }),
        (schema![only::Thing], doc! { "$**": 1 }, "wildcardProjection", doc! { "attributes": 1, "inner.Note": 1 }),
        (schema![except::Thing], doc! { "$**": 1 }, "wildcardProjection", doc! { "body": 0, "Title": 0 }),
    ] {
        let db = database().await;
        applied(schema, &db).await;
        let index = &listed(&db, "things").await[1];
        assert_eq!((index.get_document("key").ok(), index.get_document(option).ok()), (Some(&keys), Some(&value)));
    }
    let db = database().await;
    applied(schema![limits::Thing], &db).await;
    let index = &listed(&db, "things").await[1];
    assert_eq!(index.get_document("key").ok(), Some(&doc! { "place": "2d", "tenant": 1 }));
    assert_eq!(
        (index.get_i32("bits").ok(), index.get_f64("min").ok(), index.get_f64("max").ok()),
        (Some(20), Some(-1.5), Some(1000.0))
    );
}

/// Another program has made the same indexes in other words.
#[tokio::test]
async fn the_words_of_another_program_are_no_difference() {
    async fn is_same(schema: Schema, keys: Document, options: Document) {
        let db = database().await;
        applied(schema![none::Thing], &db).await;
        let mut index = doc! { "key": keys, "name": "theirs" };
        index.extend(options);
        db.run_command(doc! { "createIndexes": "things", "indexes": [index] }).await.expect("made");
        is_settled(schema, &db).await;
    }
    let norwegian = doc! { "weights": { "Title": 10_i64 }, "default_language": "NB", "language_override": "lang" };
    is_same(schema![text::Thing], doc! { "body": "text", "Title": "text" }, norwegian).await;
    let whole = doc! { "default_language": "EN", "language_override": "language", "textIndexVersion": 3 };
    is_same(schema![fewer::Thing], doc! { "body": "text" }, whole).await;
    let older = doc! { "weights": { "Title": 3 }, "default_language": "none", "textIndexVersion": 2 };
    is_same(schema![all_text::Thing], doc! { "$**": "text" }, older).await;
    let yes = doc! { "wildcardProjection": { "inner.Note": true, "attributes": 1.0, "_id": false } };
    is_same(schema![only::Thing], doc! { "$**": 1.0 }, yes).await;
    let no = doc! { "wildcardProjection": { "Title": false, "body": 0_i64, "_id": 0 } };
    is_same(schema![except::Thing], doc! { "$**": 1 }, no).await;
    is_same(schema![plane::Thing], doc! { "place": "2d" }, doc! { "bits": 26_i64, "min": -180, "max": 180.0 }).await;
}

#[tokio::test]
async fn other_settings_are_rebuilt_only_when_asked_to() {
    for (from, to) in [
        (schema![text::Thing], schema![heavier::Thing]),
        (schema![text::Thing], schema![english::Thing]),
        (schema![text::Thing], schema![fewer::Thing]),
        (schema![fewer::Thing], schema![between::Thing]),
        (schema![fewer::Thing], schema![partial_text::Thing]),
        (schema![between::Thing], schema![all_text::Thing]),
        (schema![limits::Thing], schema![finer::Thing]),
    ] {
        let (db, log) = database_with_log().await;
        applied(from, &db).await;
        let before = listed(&db, "things").await;
        let plan = planned(to, &db).await;
        assert!(matches!(changes(&plan)[..], [Change::RebuildIndex { .. }]), "{plan}");
        log.clear();
        let report = plan.apply(&db).await.expect("a report");
        assert!(matches!(report.entries()[0].outcome, Outcome::NotRequested(Needs::Rebuild)), "{report}");
        assert_eq!((listed(&db, "things").await, changing(&log).len()), (before, 0), "nothing was touched");
        let report = plan.apply_with(&db, ApplyOptions::new().rebuild(true)).await.expect("a report");
        report.complete().expect("every step is done");
        assert_eq!(changing(&log), ["dropIndexes", "createIndexes"]);
        is_settled(to, &db).await;
    }
}

#[tokio::test]
async fn a_text_index_is_hidden_and_shown_in_place() {
    let (db, log) = database_with_log().await;
    applied(schema![fewer::Thing], &db).await;
    log.clear();
    for schema in [schema![hidden_text::Thing], schema![fewer::Thing]] {
        applied(schema, &db).await;
        is_settled(schema, &db).await;
    }
    assert_eq!(changing(&log), ["collMod", "collMod"]);
}

/// A wildcard index of other paths is made beside the old index; the old index goes on request.
#[tokio::test]
async fn a_wildcard_index_of_other_paths_stands_beside_the_old_one() {
    let db = database().await;
    applied(schema![only::Thing], &db).await;
    let report = planned(schema![wildcard::Thing], &db).await.apply(&db).await.expect("a report");
    assert_eq!(report.done().count(), 1, "{report}");
    assert_eq!(names(&db, "things").await, ["$**_1", "$**_1_only_attributes_inner.Note"]);
    let plan = planned(schema![wildcard::Thing], &db).await;
    assert!(matches!(changes(&plan)[..], [Change::DropIndex { .. }]), "{plan}");
}

/// The name of the new text index belongs to another index, and another text index is in the way.
#[tokio::test]
async fn a_text_index_in_the_way_goes_with_the_index_of_the_name() {
    let db = database().await;
    applied(schema![none::Thing], &db).await;
    let theirs =
        [doc! { "key": { "body": 1 }, "name": "body_text" }, doc! { "key": { "Title": "text" }, "name": "theirs" }];
    db.run_command(doc! { "createIndexes": "things", "indexes": theirs.to_vec() }).await.expect("made");
    let plan = planned(schema![fewer::Thing], &db).await;
    plan.apply_with(&db, ApplyOptions::new().drop_undeclared(true).rebuild(true))
        .await
        .and_then(|report| report.complete())
        .expect("every step is done");
    is_settled(schema![fewer::Thing], &db).await;
}

/// The client stops between the drop and the creation: the next plan makes the index.
#[tokio::test]
async fn a_stopped_rebuild_is_finished_by_the_next_plan() {
    for (from, to) in [(schema![text::Thing], schema![heavier::Thing]), (schema![limits::Thing], schema![finer::Thing])]
    {
        let db = database().await;
        applied(from, &db).await;
        let refused = doc! { "failCommands": ["createIndexes"], "errorCode": 8000 };
        let failure = fail_command(&db, doc! { "times": 1 }, refused).await;
        let plan = planned(to, &db).await;
        let report = plan.apply_with(&db, ApplyOptions::new().rebuild(true)).await.expect("a report");
        failure.clear().await;
        report.complete().expect_err("the creation fails");
        assert!(names(&db, "things").await.is_empty());
        applied(to, &db).await;
        is_settled(to, &db).await;
    }
}

/// A text index is dropped before the new index is built: the plan says how many documents the build reads.
#[tokio::test]
async fn a_plan_says_how_long_the_collection_has_no_text_index() {
    let db = database().await;
    applied(schema![text::Thing], &db).await;
    let gap = "the collection has no such index until the index is built, from a read of";
    let plan = planned(schema![heavier::Thing], &db).await.to_string();
    assert!(plan.contains(&format!("{gap} no document\n")), "{plan}");
    let thing = |id: i64| {
        let inner = doc! { "Note": "", "count": 1_i64 };
        doc! { "_id": id, "tenant": 1_i64, "Title": "a", "body": "b", "tags": [], "attributes": {}, "inner": inner,
        "place": [1.0, 2.0] }
    };
    raw(&db, "things").insert_many([thing(1), thing(2)]).await.expect("valid");
    let stored = mongodb::bson::RawDocumentBuf::try_from(&thing(1)).expect("bytes");
    let bytes = 2 * stored.as_bytes().len();
    let plan = planned(schema![heavier::Thing], &db).await;
    let text = plan.to_string();
    assert!(text.contains(&format!("{gap} about 2 documents, {bytes} bytes together\n")), "{text}");
    let [Change::RebuildIndex { size: Some(size), .. }] = changes(&plan)[..] else { panic!("{plan}") };
    assert_eq!((size.documents, size.bytes), (2, bytes as u64));

    let refused = doc! { "failCommands": ["aggregate"], "errorCode": 13 };
    let failure = fail_command(&db, "alwaysOn", refused).await;
    let text = planned(schema![heavier::Thing], &db).await.to_string();
    failure.clear().await;
    assert!(text.contains("of an unknown number of documents: the user may not read the size"), "{text}");
}

/// The text of a plan names the settings.
#[tokio::test]
async fn a_plan_shows_the_settings() {
    let db: Database = database().await;
    let text = planned(schema![text::Thing], &db).await.to_string();
    assert!(text.contains("weights {Title: 10}, default_language \"norwegian\", language_override \"lang\""), "{text}");
    let text = planned(schema![only::Thing], &db).await.to_string();
    assert!(text.contains("{$**: 1} wildcardProjection {attributes: 1, inner.Note: 1}"), "{text}");
}
