//! Which writes a model has.

/// What this application writes of a model.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writes {
    All,
    /// `insert_only`
    Inserts,
    /// `read_only`
    Nothing,
}

impl Writes {
    pub(crate) fn inserts(self) -> bool {
        match self {
            Writes::All | Writes::Inserts => true,
            Writes::Nothing => false,
        }
    }

    pub(crate) fn updates(self) -> bool {
        match self {
            Writes::All => true,
            Writes::Inserts | Writes::Nothing => false,
        }
    }

    /// The user's word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Writes::All => "",
            Writes::Inserts => "insert_only",
            Writes::Nothing => "read_only",
        }
    }
}
