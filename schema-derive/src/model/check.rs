//! `#[check(..)]`: the rules about the value of a field.

use syn::{Expr, Path};

use crate::parse::{Constant, Pattern};

/// One rule, with the argument of the user.
pub(crate) struct Check {
    pub(crate) rule: CheckRule,
    /// `min = 0`, as written.
    pub(crate) tokens: Expr,
}

pub(crate) enum CheckRule {
    Min(Constant),
    Max(Constant),
    MoreThan(Constant),
    LessThan(Constant),
    MultipleOf(Constant),
    MinLen(u64),
    NotEmpty,
    Pattern(Pattern),
    Email,
    Url,
    OneOf(Vec<Constant>),
    MinItems(u64),
    UniqueItems,
    /// The function of the user.
    With(Path),
}

impl CheckRule {
    /// Returns whether the rule is about a collection, where the field is a collection. Every other rule is then about
    /// each element or value.
    pub(crate) fn is_of_collection(&self) -> bool {
        matches!(self, CheckRule::NotEmpty | CheckRule::MinItems(_) | CheckRule::UniqueItems)
    }
}
