//! What a delete does to what refers to the deleted document.

/// What a delete of a document does to those that refer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteRule {
    /// Nothing: they dangle.
    NoAction,
    /// It is refused while there are any.
    Restrict,
    /// They are deleted too.
    Cascade,
    /// Their reference becomes null.
    Nullify,
    /// The reference is taken out of their array.
    Pull,
}

impl DeleteRule {
    /// Whether a delete does anything at all, so that this crate marks documents for it.
    pub(crate) const fn acts(self) -> bool {
        match self {
            DeleteRule::NoAction => false,
            DeleteRule::Restrict | DeleteRule::Cascade | DeleteRule::Nullify | DeleteRule::Pull => true,
        }
    }

    /// Whether it is this one.
    pub(crate) const fn is(self, other: DeleteRule) -> bool {
        self as u8 == other as u8
    }

    /// The word in the attribute.
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
