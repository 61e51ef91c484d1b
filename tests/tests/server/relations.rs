//! The shared parts of the tests of relations: documents that are written past the crate, indexes, and the contents of
//! a plan.

use std::collections::BTreeSet;

use mongodb::{
    IndexModel,
    bson::{Bson, Document, doc},
};
use schema_runtime::{definition::Direction, prelude::*};

pub(crate) use crate::models::*;

/// Writes documents, past the crate.
pub(crate) async fn insert<M: Model>(db: &Database, documents: &[M]) {
    db.collection::<M>(M::DEFINITION.collection).insert_many(documents).await.unwrap();
}

/// Writes any documents, past the crate.
pub(crate) async fn insert_raw<M: Model>(db: &Database, documents: impl IntoIterator<Item = Document>) {
    db.collection::<Document>(M::DEFINITION.collection).insert_many(documents).await.unwrap();
}

/// Makes the indexes of a model's definition.
pub(crate) async fn index<M: Model>(db: &Database) {
    for definition in M::DEFINITION.indexes() {
        let mut keys = Document::new();
        for key in definition.keys {
            let direction = match key.direction {
                Direction::Ascending => Bson::Int32(1),
                Direction::Descending => Bson::Int32(-1),
                other => panic!("no test has an index that is {other:?}"),
            };
            keys.insert(M::DEFINITION.stored_path(key.path), direction);
        }
        let index = IndexModel::builder().keys(keys).build();
        db.collection::<Document>(M::DEFINITION.collection).create_index(index).await.unwrap();
    }
}

/// Returns the stages of a plan, from the server's `explain` of a `find`.
pub(crate) fn stages(explain: &Document) -> BTreeSet<String> {
    fn walk(value: &Bson, stages: &mut BTreeSet<String>) {
        match value {
            Bson::Document(document) => {
                if let Ok(stage) = document.get_str("stage") {
                    stages.insert(stage.to_owned());
                }
                document.values().for_each(|value| walk(value, stages));
            }
            Bson::Array(elements) => elements.iter().for_each(|value| walk(value, stages)),
            _ => {}
        }
    }
    let mut stages = BTreeSet::new();
    walk(explain.get("queryPlanner").and_then(|plan| plan.as_document()?.get("winningPlan")).unwrap(), &mut stages);
    stages
}

/// Checks that a `find` uses an index, and examines at most `most` keys.
#[track_caller]
pub(crate) fn assert_index_scan(explain: &Document, most: i64) {
    let stages = stages(explain);
    assert!(stages.contains("IXSCAN") || stages.contains("IDHACK"), "{stages:?}");
    assert!(!stages.contains("COLLSCAN") && !stages.contains("SORT"), "{stages:?}");
    let keys = examined(explain.get_document("executionStats").unwrap(), "totalKeysExamined");
    assert!(keys <= most, "{keys} keys");
}

/// Returns a count of the server, of any numeric type.
#[track_caller]
pub(crate) fn examined(document: &Document, name: &str) -> i64 {
    match document.get(name) {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        other => panic!("`{name}` is {other:?}"),
    }
}

/// Returns the document without the fields that the driver adds to every command.
pub(crate) fn command(mut command: Document) -> Document {
    for name in ["$db", "lsid", "$clusterTime", "txnNumber", "apiVersion", "$readPreference"] {
        command.remove(name);
    }
    command
}

/// Returns a Tokio runtime for the cases of a property: the cases are no futures.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

pub(crate) fn id_filter(ids: impl IntoIterator<Item = impl Into<Bson>>) -> Document {
    doc! { "_id": { "$in": ids.into_iter().map(Into::into).collect::<Vec<Bson>>() } }
}
