//! Events of slow commands, without any value.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use mongodb::{Database, bson::Document};
use tracing::Level;

use super::{client_settings, threshold::DEFAULT};
use crate::{document::without_values, error::Result};

/// The target of the events.
const TARGET: &str = "schema_runtime::slow";

/// The least threshold of all clients: a faster command is slow for no client.
static LEAST: AtomicU64 = AtomicU64::new(DEFAULT);

/// Sets the time from which a command of the client of this database is slow: the command is an event of the target
/// `schema_runtime::slow` at the level `WARN`, without values ([the page `visibility`](crate::guide)). The default is
/// 100 milliseconds. `None` ends the events of the client. All databases and all clones of the client have the
/// threshold.
///
/// ```
/// # use std::time::Duration;
/// # use schema_runtime::prelude::*;
/// # async fn example(db: &Database) -> Result<()> {
/// schema_runtime::set_slow_threshold(db, Some(Duration::from_millis(20))).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::Connection`](crate::Error::Connection) when the client was made without this crate, and no server answers.
pub async fn set_slow_threshold(db: &Database, time: Option<Duration>) -> Result<()> {
    let millis = client_settings::change(db, |settings| settings.slow_threshold.set(time)).await?;
    LEAST.fetch_min(millis, Ordering::Relaxed);
    Ok(())
}

/// A command whose time is measured.
pub(super) struct Watched {
    database: Database,
    operation: &'static str,
    collection: Option<&'static str>,
    pub(super) batch: usize,
    /// The conditions of the command without the values.
    pub(super) filter: Option<Document>,
}

/// Begins to watch a command; `None` where no subscriber wants the events.
pub(super) fn watch(
    database: &Database,
    operation: &'static str,
    collection: Option<&'static str>,
) -> Option<Box<Watched>> {
    let new = || Box::new(Watched { database: database.clone(), operation, collection, batch: 1, filter: None });
    tracing::enabled!(target: TARGET, Level::WARN).then(new)
}

impl Watched {
    /// Keeps the conditions without the values.
    pub(super) fn filter(&mut self, filter: &Document) {
        self.filter = Some(without_values(filter));
    }

    /// Returns the event of a slow command; `None` for a command that no client takes for slow.
    pub(super) fn ended(self: Box<Self>, begun: Instant) -> Option<BoxFuture<'static, ()>> {
        let time = begun.elapsed();
        let is_slow = time.as_millis() >= LEAST.load(Ordering::Relaxed).into();
        is_slow.then(|| -> BoxFuture<'static, ()> { Box::pin(self.report(time)) })
    }

    async fn report(self: Box<Self>, time: Duration) {
        let Watched { database, operation, collection, batch, filter } = *self;
        let threshold = client_settings::read(&database, |settings| settings.slow_threshold.millis()).await;
        let threshold = threshold.unwrap_or(DEFAULT);
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        if millis < threshold {
            return;
        }
        tracing::warn!(
            target: TARGET,
            {
                db.namespace = database.name(),
                db.collection.name = collection,
                db.operation.name = operation,
                db.operation.batch.size = (batch > 1).then_some(batch as u64),
                filter = filter.map(|filter| filter.to_string()),
                ms = millis,
                threshold_ms = threshold,
            },
            "a slow command"
        );
    }
}
