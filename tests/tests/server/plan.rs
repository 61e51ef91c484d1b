//! Plan and apply on a real server.

mod adopt;
mod clash;
mod collation;
mod create;
mod extra_fields;
mod hidden;
mod index;
mod interrupt;
mod kinds;
mod partial;
mod property;
mod ranges;
mod rights;
mod search;
mod undeclared;
mod unique;
mod validator;

use futures_util::TryStreamExt;
use mongodb::{
    Collection, Database,
    bson::{Document, doc},
};
use schema_runtime::{
    Schema,
    apply::ApplyReport,
    plan::{Change, Plan},
};
use schema_tests::CommandLog;

/// The commands that change collections and indexes.
const CHANGING: [&str; 4] = ["create", "collMod", "createIndexes", "dropIndexes"];

/// Returns the names of the sent commands that change collections and indexes, in order.
fn changing(log: &CommandLog) -> Vec<String> {
    let names = log.commands().into_iter().map(|(name, _)| name);
    names.filter(|name| CHANGING.contains(&name.as_str())).collect()
}

fn raw(db: &Database, collection: &str) -> Collection<Document> {
    db.collection(collection)
}

/// Returns every index of a collection, as the server lists the index.
async fn listed(db: &Database, collection: &str) -> Vec<Document> {
    let indexes = db.run_cursor_command(doc! { "listIndexes": collection }).await.expect("the collection");
    indexes.try_collect().await.expect("its indexes")
}

/// Returns the names of the indexes, without the index of `_id`.
async fn names(db: &Database, collection: &str) -> Vec<String> {
    let indexes = listed(db, collection).await;
    let mut names: Vec<String> =
        indexes.iter().map(|index| index.get_str("name").expect("a name").to_owned()).collect();
    names.retain(|name| name != "_id_");
    names.sort();
    names
}

/// Returns the options that the server reports for a collection.
async fn options(db: &Database, collection: &str) -> Document {
    let command = doc! { "listCollections": 1, "filter": { "name": collection } };
    let mut collections = db.run_cursor_command(command).await.expect("the collections");
    let found = collections.try_next().await.expect("the collection").expect("the collection");
    found.get_document("options").expect("options").clone()
}

async fn planned(schema: Schema, db: &Database) -> Plan {
    schema.plan(db).await.expect("a plan")
}

/// Plans and applies; every step without a needed option is done.
async fn applied(schema: Schema, db: &Database) -> ApplyReport {
    let report = planned(schema, db).await.apply(db).await.expect("a report");
    report.complete().expect("every step is done")
}

async fn is_settled(schema: Schema, db: &Database) {
    let plan = planned(schema, db).await;
    assert!(plan.is_empty(), "{plan}");
}

fn changes(plan: &Plan) -> Vec<&Change> {
    plan.steps().iter().map(|step| &step.change).collect()
}
