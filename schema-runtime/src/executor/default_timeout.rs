//! The default time limit of the operations of a client.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use mongodb::{Database, error::Error as DriverError};

use super::{
    Context, client_settings,
    options::{Given, Overdue},
    pools::gate_of,
};
use crate::error::Result;

/// True when a client of the process has, or had, a default.
static ANY: AtomicBool = AtomicBool::new(false);

/// True when a client without a known address has, or had, a default.
static ANY_FOREIGN: AtomicBool = AtomicBool::new(false);

/// Sets the time limit of each operation of the client of this database, where neither the operation nor the executor
/// has a [`timeout`](crate::Configurable::timeout) or a [`deadline`](crate::Configurable::deadline). `None` removes the
/// limit. All databases and all clones of the client have the limit. The planning, the applying and the maintenance of
/// a schema have neither the limit nor the options of an executor.
///
/// ```
/// # use std::time::Duration;
/// # use schema_runtime::prelude::*;
/// # async fn example() -> Result<()> {
/// let db = schema_runtime::connect("mongodb://localhost:27017", "shop").await?;
/// schema_runtime::set_default_timeout(&db, Some(Duration::from_secs(5))).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::Connection`](crate::Error::Connection) when the client was made without this crate, and no server answers.
pub async fn set_default_timeout(db: &Database, time: Option<Duration>) -> Result<()> {
    client_settings::change(db, |settings| settings.default_timeout.set(time)).await?;
    ANY_FOREIGN.fetch_or(gate_of(db.client()).is_none(), Ordering::Release);
    ANY.store(true, Ordering::Release);
    Ok(())
}

impl Context {
    /// Begins an operation: the time of the default limit runs.
    pub(super) fn begun(mut self) -> Self {
        if self.scope.deadline.is_some() || self.scope.default.is_some() || !ANY.load(Ordering::Acquire) {
            return self;
        }
        match gate_of(self.database.client()) {
            Some(gate) => self.scope.deadline = gate.settings().default_timeout.get().map(|time| Instant::now() + time),
            None if ANY_FOREIGN.load(Ordering::Acquire) => self.scope.default = Some(Instant::now()),
            None => {}
        }
        self
    }

    /// Returns the moment at which the operation has to be over.
    pub(crate) async fn deadline(&self) -> Result<Option<Instant>> {
        Ok(self.overdue().await?.0)
    }

    /// Returns the options of the next command.
    ///
    /// # Errors
    /// The error of an operation whose time is over: the command is not sent.
    pub(super) async fn given(&self) -> Result<Given<'_>, DriverError> {
        self.scope.given(self.overdue().await?)
    }

    /// Returns the deadline of the operation.
    async fn overdue(&self) -> Result<Overdue, DriverError> {
        if let (None, Some(begun)) = (self.scope.deadline, self.scope.default) {
            let limit = client_settings::read(&self.database, |settings| settings.default_timeout.get()).await;
            return Ok(Overdue(limit.flatten().map(|time| begun + time)));
        }
        Ok(Overdue(self.scope.deadline))
    }
}
