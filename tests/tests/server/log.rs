//! The commands that reached the server, from its own profiler.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Document, doc},
};

/// What the server was asked of one collection while `work` ran, each by its kind: `insert`, `query`, `getmore`, `update`,
/// `remove`, `command`.
pub(crate) async fn commands<T>(db: &Database, collection: &str, work: impl Future<Output = T>) -> (T, Vec<String>) {
    db.run_command(doc! { "profile": 2, "slowms": 0 }).await.unwrap();
    let result = work.await;
    db.run_command(doc! { "profile": 0 }).await.unwrap();
    let filter = doc! { "ns": format!("{}.{collection}", db.name()) };
    let entries = db.collection::<Document>("system.profile").find(filter).sort(doc! { "ts": 1 }).await.unwrap();
    let entries: Vec<Document> = entries.try_collect().await.unwrap();
    db.collection::<Document>("system.profile").drop().await.unwrap();
    (result, entries.iter().map(|entry| entry.get_str("op").unwrap().to_owned()).collect())
}
