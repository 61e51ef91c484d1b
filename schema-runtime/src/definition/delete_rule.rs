//! The effect of a delete on the documents that refer to the deleted document.

/// The effect of a delete of a document on the referring documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteRule {
    /// Nothing: the references dangle.
    NoAction,
    /// The delete is refused while referring documents exist.
    Restrict,
    /// The referring documents are deleted too.
    Cascade,
    /// The reference in each referring document becomes null.
    Nullify,
    /// The reference is taken out of the array of each referring document.
    Pull,
}

impl DeleteRule {
    /// True when the rule has an effect, so that this crate marks documents for a delete.
    pub(crate) const fn acts(self) -> bool {
        match self {
            DeleteRule::NoAction => false,
            DeleteRule::Restrict | DeleteRule::Cascade | DeleteRule::Nullify | DeleteRule::Pull => true,
        }
    }

    /// Returns whether two rules are the same, in a `const`.
    pub(crate) const fn is(self, other: DeleteRule) -> bool {
        self as u8 == other as u8
    }

    /// Returns the word in the attribute.
    pub const fn word(self) -> &'static str {
        match self {
            DeleteRule::NoAction => "no_action",
            DeleteRule::Restrict => "restrict",
            DeleteRule::Cascade => "cascade",
            DeleteRule::Nullify => "nullify",
            DeleteRule::Pull => "pull",
        }
    }
}
