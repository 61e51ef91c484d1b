//! The settings of a client, which all databases and all clones of the client share.

use super::{options::TimeLimit, threshold::Threshold};

/// The settings of one client.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The time limit of an operation without a limit of its own.
    pub(super) default_timeout: TimeLimit,
    pub(super) slow_threshold: Threshold,
}
