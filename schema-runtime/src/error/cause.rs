//! The types of the causes that some errors hold.

use std::fmt;

use super::text;

/// The unit of the size of a bounded value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoundUnit {
    /// The elements of an array.
    Elements,
    /// The entries of a map.
    Entries,
    /// The code points of a string.
    CodePoints,
    /// The bytes of a value as BSON.
    Bytes,
}

impl fmt::Display for BoundUnit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            BoundUnit::Elements => "elements",
            BoundUnit::Entries => "entries",
            BoundUnit::CodePoints => "code points",
            BoundUnit::Bytes => "bytes",
        })
    }
}

/// A value that is larger than the declared bound.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExceededBound {
    /// The stored path of the value, in the format of [`BoundExceeded`](super::Error::BoundExceeded).
    pub field: String,
    /// The bound: the largest size that the value may have.
    pub bound: u64,
    /// The size of the value.
    pub size: u64,
    /// The unit of the bound and of the size.
    pub unit: BoundUnit,
}

impl fmt::Display for ExceededBound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExceededBound { field, bound, size, unit } = self;
        write!(formatter, "{} has {size} {unit}, the bound is {bound}", text::place(field))
    }
}

/// Why a transaction holds documents for long.
const HELD: &str = "the transaction of a stopped client ends after the server's `transactionLifetimeLimitSeconds`";

/// The time limit that ended an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The time limit of the operation: on the server (`maxTimeMS`; codes 50 and 262), or between two commands.
    Operation,
    /// The wait for the rest of the replica set's members (`wtimeout`; code 64). The write itself is done.
    WriteConcern,
    /// The life of a transaction on the server (`transactionLifetimeLimitSeconds`, 60 seconds; code 290).
    Transaction,
    /// The wait for a lock on the server (code 24).
    Lock,
    /// The wait for the network, by the driver or between servers (codes 89 and 202).
    Network,
    /// The wait for documents that transactions hold. Nothing was written. A transaction whose client has stopped holds
    /// the documents until the server ends the transaction (`transactionLifetimeLimitSeconds`, 60 seconds).
    Held {
        /// The collection that was to be written.
        collection: &'static str,
        /// How long the write waited.
        seconds: u64,
    },
}

/// The driver error of a write that waited for documents of open transactions until the time limit. Nothing was
/// written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) collection: &'static str,
    pub(crate) seconds: u64,
}

/// The driver error of an operation whose time is over before a command, or before the answer to a read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overtime;

/// The driver error of a command of a transaction that has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AfterTheEnd;

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Limit::Held { collection, seconds } => {
                return write!(
                    formatter,
                    "the wait of {seconds} s for documents of `{collection}` that transactions hold ({HELD})"
                );
            }
            Limit::Operation => "the operation's time limit (`maxTimeMS`)",
            Limit::WriteConcern => {
                "the time limit of the write concern (`wtimeout`), with the write done on the primary"
            }
            Limit::Transaction => "the lifetime of a transaction (`transactionLifetimeLimitSeconds`)",
            Limit::Lock => "the wait for a lock",
            Limit::Network => "the wait for the network",
        };
        formatter.write_str(name)
    }
}
