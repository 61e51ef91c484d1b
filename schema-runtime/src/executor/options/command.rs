//! The options that a command takes, in the form of the driver.

use std::time::Duration;

use mongodb::{
    bson::Bson,
    error::Error as DriverError,
    options::{Collation, Hint},
};

use crate::definition::{CollationDefinition, Texts};

use super::{
    OperationOptions,
    scope::{Overdue, Part, Scope},
};

/// The options of one command.
#[derive(Default)]
pub(in crate::executor) struct Given<'a> {
    pub(in crate::executor) comment: Option<Bson>,
    /// The time limit on the server.
    pub(in crate::executor) max_time: Option<Duration>,
    own: Option<&'a OperationOptions>,
    outer: Option<&'a OperationOptions>,
    along: Option<&'a OperationOptions>,
    texts: Texts,
    pub(in crate::executor) overdue: Overdue,
}

impl Scope {
    /// Returns the options of the next command, given the deadline of the operation.
    ///
    /// # Errors
    /// The error of an operation whose time is over: the command is not sent.
    pub(in crate::executor) fn given(&self, overdue: Overdue) -> Result<Given<'_>, DriverError> {
        let left = overdue.left()?;
        let Some(options) = &self.options else {
            return Ok(Given { max_time: left.map(whole), texts: self.texts, overdue, ..Given::default() });
        };
        let [own, outer, along] = [Part::Own, Part::Outer, Part::Along].map(|part| self.of_part(part));
        let max_time = along.and_then(|options| options.max_time).into_iter().chain(left).min().map(whole);
        Ok(Given { comment: options.comment.clone(), max_time, own, outer, along, texts: self.texts, overdue })
    }
}

/// Returns a time in whole milliseconds: the server takes 0 for no limit.
fn whole(time: Duration) -> Duration {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).min(i32::MAX as u64);
    Duration::from_millis(millis.max(1))
}

impl Given<'_> {
    pub(in crate::executor) fn hint(&self) -> Option<Hint> {
        self.outer.and_then(|options| options.hint.clone()).map(Hint::Name)
    }

    /// Returns the collation of a command. `compares` tells whether the command compares texts.
    pub(in crate::executor) fn collation(&self, compares: impl FnOnce() -> bool) -> Option<Collation> {
        if let Some(given) = self.own.and_then(|options| options.collation_set()) {
            return Some(given.clone());
        }
        match self.texts {
            Texts::Inherited => None,
            Texts::Bytes => compares().then(|| CollationDefinition::SIMPLE.into()),
            Texts::By(collation) => Some(collation.into()),
        }
    }

    /// Returns whether statements that compare texts have to say the comparison.
    pub(in crate::executor) fn is_by_bytes(&self) -> bool {
        self.texts == Texts::Bytes
    }

    pub(in crate::executor) fn batch_size(&self) -> Option<u32> {
        self.along.and_then(|options| options.batch_size)
    }

    pub(in crate::executor) fn allow_disk_use(&self) -> Option<bool> {
        self.along.and_then(|options| options.allow_disk_use)
    }

    /// Returns the time limit as a command has the limit.
    pub(in crate::executor) fn max_time_ms(&self) -> Option<i64> {
        self.max_time.map(|time| time.as_millis() as i64)
    }
}

/// Adds the options of a command to the driver's options; an option that the crate itself has set stays where the
/// caller gives none.
macro_rules! add_options {
    ($given:expr, $options:expr, [$($part:ident),*]) => {{
        let given = &mut $given;
        $(add_options!(@ $part, given, $options);)*
    }};
    (@ comment, $given:ident, $options:expr) => { $options.comment = $given.comment.take() };
    (@ max_time, $given:ident, $options:expr) => { $options.max_time = $given.max_time };
    (@ $part:ident, $given:ident, $options:expr) => {
        if let Some(value) = $given.$part() {
            $options.$part = Some(value);
        }
    };
}

pub(in crate::executor) use add_options;
