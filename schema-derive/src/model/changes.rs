//! How often a field changes.

use super::Number;

/// `#[changes(seldom, per_day = 3)]`
#[derive(Default)]
pub(crate) struct Changes {
    /// How often the field of one document changes.
    pub(crate) rate: Option<ChangeRate>,
    /// How often a day the field changes, in all documents together.
    pub(crate) per_day: Option<Number>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChangeRate {
    Often,
    Seldom,
}
