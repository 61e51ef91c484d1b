//! The three sides that each row compares.

/// The side of the comparison that writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The driver writes the children, and nobody keeps the parents.
    Raw,
    /// A program writes the children and then changes the parents by `$inc`. A stop between the two leaves a wrong
    /// parent.
    Hand,
    /// The models of this workspace.
    Ours,
}

impl Side {
    pub(crate) const ALL: [Side; 3] = [Side::Raw, Side::Hand, Side::Ours];

    /// Returns the name of this side's own collection.
    pub(crate) fn of(self, collection: &str) -> String {
        match self {
            Side::Raw => format!("raw_{collection}"),
            Side::Hand => format!("hand_{collection}"),
            Side::Ours => collection.to_owned(),
        }
    }

    #[allow(dead_code, reason = "the bench of a load has no second process")]
    pub(crate) fn named(name: &str) -> Option<Self> {
        Side::ALL.into_iter().find(|side| side.name() == name)
    }

    #[allow(dead_code, reason = "the bench of a load has no second process")]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Side::Raw => "raw",
            Side::Hand => "hand",
            Side::Ours => "ours",
        }
    }
}
