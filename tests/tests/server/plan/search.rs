//! Search indexes and vector indexes: a note on a server without search; made, changed, waited for and dropped on a
//! server with the commands of Atlas.

mod models;

use std::time::Duration;

use mongodb::bson::doc;
use schema_runtime::{
    Error, SearchError,
    apply::{ApplyOptions, Outcome},
    plan::{Needs, Note, SearchChange},
    prelude::*,
};
use schema_tests::{Atlas, database, database_with_log};

use self::models::{Product, beside, changed, kinds, of_another_type};
use super::*;

const DEFAULT: &str = r#"{"name": "default", "type": "search", "definition": {"mappings": {"dynamic": false, "fields": {"title": [{"type": "string", "analyzer": "lucene.norwegian"}, {"type": "autocomplete"}], "b": {"type": "token"}, "price": {"type": "number"}, "sold": {"type": "date"}, "maker": {"type": "document", "fields": {"fullName": {"type": "string"}, "country": {"type": "token"}}}, "name": {"type": "string", "searchAnalyzer": "lucene.keyword"}}}}}"#;
const VECTORS: &str = r#"{"name": "vector_index", "type": "vectorSearch", "definition": {"fields": [{"type": "vector", "path": "embedding", "numDimensions": 3, "similarity": "dotProduct"}, {"type": "filter", "path": "b"}, {"type": "filter", "path": "maker.country"}]}}"#;

/// Returns the search commands, and a new database behind the commands.
async fn atlas() -> (Atlas, Database) {
    let (atlas, db) = (Atlas::start().await, database().await);
    let db = atlas.database(db.name()).await;
    (atlas, db)
}

/// Returns the error of the only step that failed.
fn failed(report: &ApplyReport) -> &Error {
    let mut failures = report.failures();
    let (first, second) = (failures.next(), failures.next());
    assert!(second.is_none(), "{report}");
    match &first.expect("a failure").outcome {
        Outcome::Failed(error) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_server_without_search_gets_a_note_with_the_definition() {
    let (db, log) = database_with_log().await;
    let schema = schema![Product];
    applied(schema, &db).await;
    let plan = planned(schema, &db).await;
    assert!(plan.is_empty(), "{plan}");
    let text = plan.to_string();
    let line = |name: &str, definition: &str| {
        format!(
            "note: search is not available on this server: the index {name} of products is not made: {definition}\n"
        )
    };
    assert!(text.contains(&line("default", DEFAULT)), "{text}");
    assert!(text.contains(&line("vector_index", VECTORS)), "{text}");
    let definitions = plan.notes().iter().map(|note| match note {
        Note::SearchUnavailable { definition, .. } => definition.as_str(),
        other => panic!("{other}"),
    });
    assert_eq!(definitions.collect::<Vec<_>>(), [DEFAULT, VECTORS]);
    // The server is asked once, and gets no command that changes search indexes.
    log.clear();
    schema![Product, beside::Other].plan(&db).await.unwrap();
    assert_eq!(log.named("aggregate").len(), 1);
    assert!(log.commands().iter().all(|(name, _)| !name.contains("Search")));
}

#[tokio::test]
async fn indexes_are_made_and_waited_for() {
    let (atlas, db) = atlas().await;
    let schema = schema![Product];
    let plan = planned(schema, &db).await;
    let text = plan.to_string();
    assert!(text.contains("  + search index default\n"), "{text}");
    assert!(text.contains("  + vector index vector_index\n"), "{text}");
    plan.apply(&db).await.unwrap().complete().unwrap();
    assert_eq!(atlas.changes(), ["createSearchIndexes", "createSearchIndexes"]);
    let plan = planned(schema, &db).await;
    assert!(plan.is_empty() && plan.notes().is_empty(), "{plan}");
    // A plan is applied twice.
    let again = planned(schema![Product], &db).await.apply(&db).await.unwrap();
    assert!(again.entries().is_empty());
    assert!(atlas.changes().is_empty());
}

#[tokio::test]
async fn a_list_with_the_options_of_atlas_is_the_same_definition() {
    let (atlas, db) = atlas().await;
    applied(schema![Product], &db).await;
    atlas.change("default", |definition| {
        definition.insert("analyzer", "lucene.standard");
        let mappings = definition.get_document_mut("mappings").unwrap();
        let fields = mappings.get_document_mut("fields").unwrap();
        fields.insert("b", doc! { "normalizer": "none", "type": "token" });
        fields.insert("price", vec![doc! { "type": "number", "representation": "double", "indexIntegers": true }]);
        fields.get_document_mut("maker").unwrap().insert("dynamic", false);
    });
    atlas.change("vector_index", |definition| {
        let fields = definition.get_array_mut("fields").unwrap();
        fields.reverse();
        for field in fields {
            if let Some(field) = field.as_document_mut()
                && field.contains_key("numDimensions")
            {
                field.insert("numDimensions", 3_i32);
                field.insert("quantization", "none");
            }
        }
    });
    is_settled(schema![Product], &db).await;
}

#[tokio::test]
async fn a_changed_definition_is_updated_and_undeclared_indexes_wait_for_the_option() {
    let (atlas, db) = atlas().await;
    applied(schema![Product], &db).await;
    atlas.changes();
    let schema = schema![changed::Product];
    let options = ApplyOptions::new().replace_validators(true).allow_refused(true);
    let plan = planned(schema, &db).await;
    let changes: Vec<(&SearchChange, Needs)> = plan
        .steps()
        .iter()
        .filter_map(|step| match &step.change {
            Change::Search(change) => Some((change, step.needs())),
            _ => None,
        })
        .collect();
    assert!(
        matches!(
            changes[..],
            [
                (SearchChange::Update { .. }, Needs::Nothing),
                (SearchChange::Create { .. }, Needs::Nothing),
                (SearchChange::Drop { .. }, Needs::DropUndeclared),
            ]
        ),
        "{plan}"
    );
    assert!(
        plan.to_string().contains("- vector index vector_index, asked for by no model (only with `drop_undeclared`)")
    );
    plan.apply_with(&db, options).await.unwrap().complete().unwrap();
    assert_eq!(atlas.changes(), ["updateSearchIndex", "createSearchIndexes"]);
    let updated = doc! { "mappings": { "dynamic": true, "fields": { "title": { "type": "string" } } } };
    assert_eq!(atlas.definition("default"), updated);
    let dropped = planned(schema, &db).await.apply_with(&db, options.drop_undeclared(true)).await.unwrap();
    dropped.complete().unwrap();
    assert_eq!(atlas.changes(), ["dropSearchIndex"]);
    // The old plan finds the work done.
    let again = plan.apply_with(&db, options.drop_undeclared(true)).await.unwrap();
    let outcomes = again.entries().iter().filter(|entry| matches!(entry.step.change, Change::Search(_)));
    assert!(outcomes.into_iter().all(|entry| matches!(entry.outcome, Outcome::AlreadyDone)), "{again}");
    assert!(atlas.changes().is_empty());
    is_settled(schema, &db).await;
}

#[tokio::test]
async fn an_index_of_another_type_is_rebuilt_on_request() {
    let (atlas, db) = atlas().await;
    applied(schema![changed::Product], &db).await;
    atlas.changes();
    let schema = schema![of_another_type::Product];
    let plan = planned(schema, &db).await;
    let text = "~ search index default becomes a vector index: drop the index and create the index again (only with `rebuild`)";
    assert!(plan.to_string().contains(text), "{plan}");
    let options = ApplyOptions::new().rebuild(true).drop_undeclared(true).allow_refused(true);
    plan.apply_with(&db, options).await.unwrap().complete().unwrap();
    assert_eq!(atlas.changes(), ["dropSearchIndex", "createSearchIndexes", "dropSearchIndex"]);
    is_settled(schema, &db).await;
}

#[tokio::test]
async fn a_failed_build_is_an_error_and_is_rebuilt_on_request() {
    let (atlas, db) = atlas().await;
    atlas.builds_end("FAILED");
    let schema = schema![beside::Other];
    let report = planned(schema, &db).await.apply(&db).await.unwrap();
    let error = failed(&report);
    assert!(matches!(error, Error::Search(SearchError::BuildFailed { index, .. }) if index == "default"), "{error}");
    atlas.builds_end("READY");
    let plan = planned(schema, &db).await;
    assert!(plan.steps().iter().all(|step| step.needs() == Needs::Rebuild), "{plan}");
    atlas.changes();
    plan.apply_with(&db, ApplyOptions::new().rebuild(true)).await.unwrap().complete().unwrap();
    assert_eq!(atlas.changes(), ["dropSearchIndex", "createSearchIndexes"]);
    is_settled(schema, &db).await;
}

#[tokio::test]
async fn a_wait_has_an_end_and_the_server_goes_on() {
    let (atlas, db) = atlas().await;
    atlas.builds_end("BUILDING");
    let schema = schema![beside::Other];
    let options = ApplyOptions::new().search_wait(Duration::from_millis(200));
    let report = planned(schema, &db).await.apply_with(&db, options).await.unwrap();
    let error = failed(&report);
    assert!(matches!(error, Error::Search(SearchError::NotReady { status, .. }) if status == "BUILDING"), "{error}");
    let plan = planned(schema, &db).await;
    let note = Note::SearchIndexBuilding { collection: "others".to_owned(), index: "default".to_owned() };
    assert!(plan.is_empty() && plan.notes() == [note], "{plan}");
    atlas.builds_end("READY");
    planned(schema, &db).await;
    is_settled(schema, &db).await;
    assert_eq!(atlas.changes(), ["createSearchIndexes"]);
}

#[tokio::test]
async fn a_step_without_a_wait_ends_when_the_server_has_the_definition() {
    let (atlas, db) = atlas().await;
    atlas.builds_end("BUILDING");
    let options = ApplyOptions::new().search_wait(Duration::ZERO);
    let plan = planned(schema![beside::Other], &db).await;
    plan.apply_with(&db, options).await.unwrap().complete().unwrap();
}

#[tokio::test]
async fn a_dropped_apply_leaves_the_index_to_the_server() {
    let (atlas, db) = atlas().await;
    atlas.builds_end("BUILDING");
    let schema = schema![beside::Other];
    let plan = planned(schema, &db).await;
    let watched = async {
        while !atlas.changes().contains(&"createSearchIndexes".to_owned()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::select! {
        _ = plan.apply(&db) => panic!("the build does not end"),
        () = watched => {}
    }
    atlas.builds_end("READY");
    // The same plan waits for the index that the server has.
    let report = plan.apply(&db).await.unwrap().complete().unwrap();
    assert_eq!(report.done().count(), 0, "{report}");
    is_settled(schema, &db).await;
}

#[tokio::test]
async fn refusals_and_missing_rights_are_outcomes_of_the_step() {
    let (atlas, db) = atlas().await;
    let schema = schema![beside::Other];
    atlas.refuse("createSearchIndexes", 8);
    let report = planned(schema, &db).await.apply(&db).await.unwrap();
    let error = failed(&report);
    assert!(
        matches!(error, Error::Search(SearchError::Refused { message, .. }) if message == "refused on request"),
        "{error}"
    );
    atlas.refuse("createSearchIndexes", 13);
    let report = planned(schema, &db).await.apply(&db).await.unwrap();
    let denied = report.failures().map(|failure| &failure.outcome).collect::<Vec<_>>();
    assert!(matches!(denied[..], [Outcome::Denied { action: "createSearchIndexes" }]), "{report}");
    atlas.refuse("$listSearchIndexes", 13);
    let plan = planned(schema, &db).await;
    assert_eq!(plan.notes(), [Note::SearchIndexesUnknown { collection: "others".to_owned() }]);
    assert!(plan.is_empty(), "{plan}");
    // A server that knows the commands and has no search configured.
    atlas.refuse("$listSearchIndexes", 31082);
    let plan = planned(schema, &db).await;
    assert!(matches!(plan.notes(), [Note::SearchUnavailable { .. }]), "{plan}");
    atlas.refuse_nothing();
    applied(schema, &db).await;
}

#[tokio::test]
async fn two_clients_make_an_index_once() {
    let (atlas, db) = atlas().await;
    let schema = schema![beside::Other];
    let plan = planned(schema, &db).await;
    let (first, second) = tokio::join!(plan.apply(&db), plan.apply(&db));
    first.unwrap().complete().unwrap();
    second.unwrap().complete().unwrap();
    is_settled(schema, &db).await;
    // A plan that is older than a change of the index changes nothing.
    atlas.changes();
    atlas.change("default", |definition| drop(definition.insert("analyzer", "lucene.english")));
    let report = plan.apply(&db).await.unwrap();
    assert!(matches!(failed(&report), Error::PlanOutdated { .. }), "{report}");
    assert!(atlas.changes().is_empty());
}

#[tokio::test]
async fn each_kind_with_documents_of_its_own_takes_the_indexes() {
    let (atlas, db) = atlas().await;
    let schema = schema![kinds::Log, kinds::Session, kinds::Post];
    applied(schema, &db).await;
    assert_eq!(atlas.changes().len(), 3);
    is_settled(schema, &db).await;
    kinds::Log::insert(&db, &kinds::Log { id: 1, text: "started".to_owned() }).await.unwrap();
    let session = kinds::Session { id: 1, words: "few words".to_owned(), meaning: Some(vec![0.0, 1.0]) };
    kinds::Session::insert(&db, &session).await.unwrap();
}
