//! The options of operations: the options that a caller gives, and the parts of each command that follow from the
//! options. Data only.

mod collation;
pub(super) mod command;
mod configurable;
mod scope;
mod time_limit;

use std::time::{Duration, Instant};

use mongodb::{
    bson::Bson,
    options::{Acknowledgment, Collation, ReadConcern, ReadPreference, WriteConcern},
};

pub(crate) use collation::driver_collation;
pub(super) use command::Given;
pub use configurable::Configurable;
pub(crate) use scope::Asked;
pub(super) use scope::{Overdue, Part, Scope};
pub(super) use time_limit::TimeLimit;

use crate::{
    codec,
    error::{Error, Result},
};

/// The options of one operation, or of the operations of an executor ([`Executor::with`](crate::Executor::with)). The
/// methods of [`Configurable`] set the options. An option that is not set has the value of the client.
///
/// ```
/// use std::time::Duration;
/// use schema_runtime::{OperationOptions, prelude::*};
///
/// let options = OperationOptions::new().timeout(Duration::from_secs(2)).comment("nightly report");
/// assert_eq!(options.time(), Some(Duration::from_secs(2)));
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct OperationOptions {
    pub(super) hint: Option<String>,
    pub(super) collation: Option<Rules>,
    pub(super) comment: Option<Bson>,
    max_time: Option<Duration>,
    pub(super) timeout: Option<Duration>,
    pub(super) deadline: Option<Instant>,
    allow_disk_use: Option<bool>,
    batch_size: Option<u32>,
    pub(super) read_concern: Option<ReadConcern>,
    pub(super) read_preference: Option<ReadPreference>,
    pub(super) write_concern: Option<WriteConcern>,
}

/// A collation, equal to a collation with the same parts.
#[derive(Clone)]
pub(super) struct Rules(Collation);

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        codec::encode(&self.0).ok() == codec::encode(&other.0).ok()
    }
}

impl OperationOptions {
    /// Creates options in which nothing is set.
    ///
    /// ```
    /// use schema_runtime::OperationOptions;
    ///
    /// assert_eq!(OperationOptions::new(), OperationOptions::default());
    /// ```
    pub fn new() -> Self {
        OperationOptions::default()
    }

    /// Returns the time limit of the whole operation, if the options have a [`timeout`](Configurable::timeout).
    pub fn time(&self) -> Option<Duration> {
        self.timeout
    }

    /// Returns the options without anything but the comment.
    pub(super) fn only_comment(&self) -> Option<Self> {
        let comment = Some(self.comment.clone()?);
        Some(OperationOptions { comment, ..OperationOptions::default() })
    }

    /// Returns the options with each option of `first` in the place of the same option here.
    pub(super) fn under(&self, first: &OperationOptions) -> Self {
        macro_rules! merged {
            ($($option:ident),*) => {
                OperationOptions { $($option: first.$option.clone().or_else(|| self.$option.clone())),* }
            };
        }
        merged!(
            hint,
            collation,
            comment,
            max_time,
            timeout,
            deadline,
            allow_disk_use,
            batch_size,
            read_concern,
            read_preference,
            write_concern
        )
    }

    /// Refuses options that no operation may have, and in a transaction the options that a transaction has as a whole.
    pub(super) fn check(&self, is_in_transaction: bool) -> Result<()> {
        let is_unacknowledged = |concern: &WriteConcern| concern.w == Some(Acknowledgment::Nodes(0));
        if self.write_concern.as_ref().is_some_and(is_unacknowledged) {
            let message = "a write without an acknowledgement (`w: 0`) has no result: take `w: 1` or a majority";
            return Err(Error::Query { message });
        }
        if is_in_transaction && self.has_concerns() {
            let message = "a transaction has one read concern, one read preference and one write concern for all \
                           operations: remove the option from the operation";
            return Err(Error::Query { message });
        }
        Ok(())
    }

    pub(super) fn has_concerns(&self) -> bool {
        self.read_concern.is_some() || self.read_preference.is_some() || self.write_concern.is_some()
    }
}

/// Shows the names of the options that are set, and no value: a comment or a collation may hold any text.
impl std::fmt::Debug for OperationOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut fields = formatter.debug_struct("OperationOptions");
        if let Some(hint) = &self.hint {
            fields.field("hint", hint);
        }
        for (name, time) in [("max_time", self.max_time), ("timeout", self.timeout)] {
            if let Some(time) = time {
                fields.field(name, &time);
            }
        }
        let others = [
            ("collation", self.collation.is_some()),
            ("comment", self.comment.is_some()),
            ("deadline", self.deadline.is_some()),
            ("allow_disk_use", self.allow_disk_use.is_some()),
            ("batch_size", self.batch_size.is_some()),
            ("read_concern", self.read_concern.is_some()),
            ("read_preference", self.read_preference.is_some()),
            ("write_concern", self.write_concern.is_some()),
        ];
        for (name, _) in others.into_iter().filter(|(_, is_set)| *is_set) {
            fields.field(name, &format_args!("_"));
        }
        fields.finish()
    }
}
