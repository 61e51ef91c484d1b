//! A transaction of another client holds hosts: writes leave differences for the hosts.

use futures_util::future::BoxFuture;
use mongodb::{
    ClientSession, Database,
    bson::{Document, doc},
};
use schema_runtime::Result;
use schema_tests::run_and_stop;

/// Holds the hosts until the session ends its transaction.
pub(super) async fn hold(db: &Database, ids: &[i64]) -> ClientSession {
    let mut session = db.client().start_session().await.unwrap();
    session.start_transaction().await.unwrap();
    let hosts = db.collection::<Document>("hosts");
    let named = doc! { "$set": { "name": "held" } };
    let held = hosts.update_many(doc! { "_id": { "$in": ids } }, named).session(&mut session).await.unwrap();
    assert_eq!(held.modified_count, ids.len() as u64);
    session
}

/// Runs the writes while the hosts are held. The client stops at the answer: all differences of the hosts stay.
pub(super) async fn leave(
    db: &Database,
    ids: &[i64],
    writes: impl FnOnce(Database) -> BoxFuture<'static, Result<()>> + Send + 'static,
) {
    let mut holder = hold(db, ids).await;
    run_and_stop(db.name(), writes).await.unwrap();
    holder.abort_transaction().await.unwrap();
}
