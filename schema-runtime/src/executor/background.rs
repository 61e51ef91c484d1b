//! Work that a dropped caller does not stop, and that goes on after the caller has an answer.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

use futures_util::future::BoxFuture;
use mongodb::Database;
use tokio::{sync::Notify, task::JoinHandle};
use tracing::Instrument;

use super::{counted_here, halt, session::joined};
use crate::error::Result;

/// The number of running pieces of work, by the name of the database.
static UNDER_WAY: LazyLock<Mutex<HashMap<String, usize>>> = LazyLock::new(Mutex::default);

static ENDED: Notify = Notify::const_new();

/// A piece of work; the work ends with the drop of the value.
struct UnderWay(String);

impl UnderWay {
    fn begin(database: &Database) -> Self {
        let name = database.name().to_owned();
        *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).entry(name.clone()).or_default() += 1;
        UnderWay(name)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut all = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get_mut(&self.0) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.0);
            }
        }
        drop(all);
        ENDED.notify_waiters();
    }
}

fn spawn<T: Send + 'static>(database: &Database, work: BoxFuture<'static, T>) -> JoinHandle<T> {
    let begun = UnderWay::begin(database);
    let work = async move {
        let _begun = begun;
        work.await
    };
    tokio::spawn(counted_here(work).in_current_span())
}

/// Begins work that nobody awaits.
pub(crate) fn go_on(database: &Database, work: BoxFuture<'static, ()>) {
    drop(spawn(database, work));
}

/// Runs the work to the end even when the caller is dropped.
pub(crate) async fn run_to_end<T: Send + 'static>(
    database: &Database,
    work: BoxFuture<'static, Result<T>>,
) -> Result<T> {
    let _permission = halt::permission().await;
    joined(spawn(database, work)).await?
}

/// Waits until all writes that this process has begun in databases of this name are finished: the writes of dropped
/// callers, copies that go on in the background, and differences that parents do not count yet. Call this function
/// before a program ends.
///
/// ```
/// # async fn serve(_: &schema_runtime::prelude::Database) {}
/// # async fn example(db: schema_runtime::prelude::Database) {
/// serve(&db).await;
/// schema_runtime::finish_writes(&db).await;
/// # }
/// ```
pub async fn finish_writes(db: &Database) {
    loop {
        let ended = ENDED.notified();
        let mut ended = std::pin::pin!(ended);
        ended.as_mut().enable();
        if !UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).contains_key(db.name()) {
            return;
        }
        ended.await;
    }
}
