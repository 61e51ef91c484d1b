//! `#[check(..)]`: the rules about the value of a field.

use crate::parse::Constant;

/// One rule.
pub(crate) struct Check {
    pub(crate) rule: CheckRule,
}

pub(crate) enum CheckRule {
    Min(Constant),
    Max(Constant),
    MoreThan(Constant),
    LessThan(Constant),
    MinLen(u64),
    NotEmpty,
    MinItems(u64),
}

impl CheckRule {
    /// Returns whether the rule is about a collection, where the field is a collection. Every other rule is then about
    /// each element or value.
    pub(crate) fn is_of_collection(&self) -> bool {
        matches!(self, CheckRule::NotEmpty | CheckRule::MinItems(_))
    }
}
