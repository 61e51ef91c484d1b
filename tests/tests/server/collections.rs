//! The kinds of collections on a real server: a plan makes each kind and finds nothing to change afterwards, each
//! change of the options has a step, and the model has the operations that the server has.

mod beside;
mod capped;
mod changes;
mod clashes;
mod create;
mod faults;
mod indexes;
mod kinds;
mod property;
mod restart;
mod series;
mod views;
mod views_of_aggregates;

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{
    Schema,
    apply::{ApplyOptions, ApplyReport},
    plan::{Change, Plan},
};

/// Returns the document of `listCollections` of a collection.
async fn listed(db: &Database, collection: &str) -> Document {
    let command = doc! { "listCollections": 1, "filter": { "name": collection } };
    let mut collections = db.run_cursor_command(command).await.expect("the collections");
    collections.try_next().await.expect("the collection").expect("the collection")
}

/// Returns the options that the server reports for a collection.
async fn options(db: &Database, collection: &str) -> Document {
    listed(db, collection).await.get_document("options").expect("options").clone()
}

/// Returns the names of the indexes of a collection, sorted.
async fn names(db: &Database, collection: &str) -> Vec<String> {
    let indexes = db.run_cursor_command(doc! { "listIndexes": collection }).await.expect("the collection");
    let indexes: Vec<Document> = indexes.try_collect().await.expect("the indexes");
    let mut names: Vec<String> =
        indexes.iter().map(|index| index.get_str("name").expect("a name").to_owned()).collect();
    names.sort();
    names
}

async fn planned(schema: Schema, db: &Database) -> Plan {
    schema.plan(db).await.expect("a plan")
}

/// Plans and applies; every step without a needed option is done.
async fn applied(schema: Schema, db: &Database) -> ApplyReport {
    let report = planned(schema, db).await.apply(db).await.expect("a report");
    report.complete().expect("every step is done")
}

/// Applies with every option; every step is done.
async fn forced(schema: Schema, db: &Database) -> ApplyReport {
    let options = ApplyOptions::new().drop_undeclared(true).rebuild(true).shrink(true).convert(true);
    let report = planned(schema, db).await.apply_with(db, options).await.expect("a report");
    report.complete().expect("every step is done")
}

async fn is_settled(schema: Schema, db: &Database) {
    let plan = planned(schema, db).await;
    assert!(plan.is_empty(), "{plan}");
}

fn steps(plan: &Plan) -> Vec<&Change> {
    plan.steps().iter().map(|step| &step.change).collect()
}
