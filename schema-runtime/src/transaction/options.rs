//! The options of a transaction.

use std::time::{Duration, Instant};

use mongodb::{
    ClientSession,
    error::Result as DriverResult,
    options::{Acknowledgment, ReadConcern, ReadConcernLevel, ReadPreference, SelectionCriteria, WriteConcern},
};

use crate::{
    error::{Error, Result},
    limits::TRANSACTION_TIME,
};

/// The options of [`transaction_with`](crate::transaction_with). The read preference is always the primary: the server
/// allows no other read preference in a transaction.
///
/// ```
/// use std::time::Duration;
///
/// use schema_runtime::{TransactionOptions, mongodb::options::ReadConcern};
///
/// let options = TransactionOptions::new()
///     .read_concern(ReadConcern::majority())
///     .max_commit_time(Duration::from_secs(5))
///     .retry_for(Duration::from_secs(10));
/// assert!(format!("{options:?}").contains("10s"));
/// ```
#[derive(Clone, Debug)]
pub struct TransactionOptions {
    read_concern: ReadConcern,
    write_concern: WriteConcern,
    max_commit_time: Option<Duration>,
    retry_for: Duration,
}

impl Default for TransactionOptions {
    fn default() -> Self {
        TransactionOptions {
            read_concern: ReadConcern::snapshot(),
            write_concern: WriteConcern::majority(),
            max_commit_time: None,
            retry_for: TRANSACTION_TIME,
        }
    }
}

impl TransactionOptions {
    /// Returns the options of [`transaction`](crate::transaction()): read concern `snapshot`, write concern `majority`,
    /// no limit of the commit, attempts for 120 seconds.
    ///
    /// ```
    /// # use schema_runtime::TransactionOptions;
    /// let options = TransactionOptions::new();
    /// assert!(format!("{options:?}").contains("120s"));
    /// ```
    pub fn new() -> Self {
        TransactionOptions::default()
    }

    /// Sets the read concern: `snapshot`, `majority` or `local`. On a replica set, each of the three shows the data of
    /// one moment. On a sharded cluster only `snapshot` does; with the other two, the data of two shards may be of
    /// different moments. The server makes a collection or an index in a transaction only with `local`.
    ///
    /// ```
    /// # use schema_runtime::{TransactionOptions, mongodb::options::ReadConcern};
    /// let options = TransactionOptions::new().read_concern(ReadConcern::local());
    /// assert!(format!("{options:?}").contains("Local"));
    /// ```
    pub fn read_concern(self, read_concern: ReadConcern) -> Self {
        TransactionOptions { read_concern, ..self }
    }

    /// Sets the write concern of the commit: `majority`, with a time limit (`w_timeout`) or a journal of your choice.
    /// A weaker write concern is refused: other documents may already hold the copies or the counts of a write that is
    /// rolled back after a failover.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use schema_runtime::{TransactionOptions, mongodb::options::WriteConcern};
    ///
    /// let mut majority = WriteConcern::majority();
    /// majority.w_timeout = Some(Duration::from_secs(5));
    /// let options = TransactionOptions::new().write_concern(majority);
    /// assert!(format!("{options:?}").contains("5s"));
    /// ```
    pub fn write_concern(self, write_concern: WriteConcern) -> Self {
        TransactionOptions { write_concern, ..self }
    }

    /// Sets the time limit of the commit on the server, in whole milliseconds, at least 1. After the limit the commit
    /// may be done or not: the transaction returns [`TimedOut`](crate::Error::TimedOut).
    ///
    /// ```
    /// # use schema_runtime::TransactionOptions;
    /// let options = TransactionOptions::new().max_commit_time(std::time::Duration::from_secs(2));
    /// assert!(format!("{options:?}").contains("2s"));
    /// ```
    pub fn max_commit_time(self, time: Duration) -> Self {
        TransactionOptions { max_commit_time: Some(time.max(Duration::from_millis(1))), ..self }
    }

    /// Sets the time during which a transaction is tried again after a conflict or a lost connection. With
    /// [`Duration::ZERO`] the callback runs once.
    ///
    /// ```
    /// # use schema_runtime::TransactionOptions;
    /// let once = TransactionOptions::new().retry_for(std::time::Duration::ZERO);
    /// assert!(format!("{once:?}").contains("0ns"));
    /// ```
    pub fn retry_for(self, time: Duration) -> Self {
        TransactionOptions { retry_for: time, ..self }
    }

    /// Refuses options that the server does not take, or that break what this crate promises.
    pub(super) fn check(&self) -> Result<()> {
        let is_majority = matches!(self.write_concern.w, None | Some(Acknowledgment::Majority));
        let level = &self.read_concern.level;
        let is_known =
            matches!(level, ReadConcernLevel::Snapshot | ReadConcernLevel::Majority | ReadConcernLevel::Local);
        match () {
            () if !is_majority => {
                Err(Error::Concern { message: "a transaction commits with write concern `majority`" })
            }
            () if !is_known => {
                Err(Error::Concern { message: "a transaction reads with `snapshot`, `majority` or `local`" })
            }
            () => Ok(()),
        }
    }

    /// Returns the end of the attempts of a transaction that begins now.
    pub(super) fn until(&self) -> Instant {
        let now = Instant::now();
        now.checked_add(self.retry_for).unwrap_or(now + TRANSACTION_TIME)
    }

    pub(super) async fn start(&self, session: &mut ClientSession) -> DriverResult<()> {
        let mut write_concern = self.write_concern.clone();
        write_concern.w = Some(Acknowledgment::Majority);
        let begin = session.start_transaction().read_concern(self.read_concern.clone()).write_concern(write_concern);
        // The transaction reads from the primary, independent of the client's read preference.
        let begin = begin.selection_criteria(SelectionCriteria::ReadPreference(ReadPreference::Primary));
        match self.max_commit_time {
            Some(time) => begin.max_commit_time(time).await,
            None => begin.await,
        }
    }
}
