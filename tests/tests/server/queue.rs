//! Writes that take the first document of an order: deletes, updates and replacements that return the document.

mod deletes;
mod effects;
mod replacements;
mod workers;

use mongodb::{Database, bson::Document};
use schema_runtime::prelude::*;

/// A job of a queue.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "jobs")]
#[index(queue, created)]
pub(crate) struct Job {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) queue: String,
    #[serde(rename = "at")]
    pub(crate) created: i64,
    #[bound(max_items = 2)]
    pub(crate) notes: Vec<String>,
    #[hidden]
    pub(crate) secret: Hidden<String>,
}

/// Returns a job whose `created` falls as the `_id` rises: the order of the server is not the order of the queue.
pub(crate) fn job(id: i64) -> Job {
    let (queue, secret) = ("mail".to_owned(), format!("secret {id}").into());
    Job { id, queue, created: 1_000 - id, notes: Vec::new(), secret }
}

/// Returns the job as a read gets the job.
pub(crate) fn shown(id: i64) -> Job {
    Job { secret: Hidden::not_loaded(), ..job(id) }
}

pub(crate) async fn insert_jobs(db: &Database, count: i64) {
    Job::insert_many(db, (1..=count).map(job)).await.unwrap();
}

/// Returns the `_id`s that are left, from the least.
pub(crate) async fn left(db: &Database, collection: &str) -> Vec<i64> {
    let mut ids: Vec<i64> = Vec::new();
    let mut found = db.collection::<Document>(collection).find(doc! {}).sort(doc! { "_id": 1 }).await.unwrap();
    while found.advance().await.unwrap() {
        ids.push(found.current().get_i64("_id").unwrap());
    }
    ids
}
