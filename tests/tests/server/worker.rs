//! The worker: recoveries at intervals, the change stream, errors that pass, shutdowns, and several workers at once.

mod changes;
mod models;
mod progress;
mod recovery;
mod resilience;
mod shutdown;

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Throttle, prelude::*};

use models::{Category, Host, Message, Offer, Supplier, schema};

/// A count of holders that a slow worker needs many seconds for.
const MANY: i64 = 2_000;

/// Prepares a database with a host of two messages, a second host of many messages, a tree, and a supplier of some
/// offers.
async fn prepare(db: &Database, messages: i64, offers: i64) {
    schema().plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    Host::insert_many(db, (1..=2).map(|id| Host { id, name: "begin".into(), bytes: 0 })).await.unwrap();
    let message = |id, host| Message { id, host: Ref::new(host), host_name: String::new(), bytes: 5 };
    Message::insert_many(db, (0..2).map(|id| message(id, 1)).chain((10..10 + messages).map(|id| message(id, 2))))
        .await
        .unwrap();
    for (id, parent) in [(1, None), (2, Some(1)), (3, None)] {
        Category::insert(db, &Category { id, parent: parent.map(Ref::new), path: TreePath::default() }).await.unwrap();
    }
    Supplier::insert(db, &Supplier { id: 1, name: "begin".into() }).await.unwrap();
    let offer = |id| Offer { id, supplier: Ref::new(1), supplied_by: String::new() };
    Offer::insert_many(db, (0..offers).map(offer)).await.unwrap();
    schema().recover(db, &Throttle::new()).await.unwrap();
}

/// Changes a document like the shell, without this crate.
async fn shell(db: &Database, collection: &str, id: i64, fields: Document) {
    let update = doc! { "$set": fields };
    let updated = db.collection::<Document>(collection).update_one(doc! { "_id": id }, update).await.unwrap();
    assert_eq!(updated.matched_count, 1);
}

async fn count(db: &Database, collection: &str, filter: Document) -> u64 {
    db.collection::<Document>(collection).count_documents(filter).await.unwrap()
}

/// Returns whether all offers have the name of the supplier.
async fn all_offers_are(db: &Database, name: &str) -> bool {
    count(db, "offers", doc! { "supplied_by": { "$ne": name } }).await == 0
}

/// Returns whether `verify` finds nothing, and nothing is pending.
async fn is_right(db: &Database) -> bool {
    let report = schema().verify(db).await.unwrap();
    report.is_clean() && report.pending().is_empty()
}
