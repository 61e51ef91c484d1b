//! The writes of a model.

/// The writes of this application to a model.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writes {
    All,
    /// `insert_only`
    Inserts,
    /// `read_only`
    Nothing,
    /// `time_series`: inserts.
    Measurements,
    /// `view`: nothing.
    Viewed,
}

impl Writes {
    pub(crate) fn inserts(self) -> bool {
        match self {
            Writes::All | Writes::Inserts | Writes::Measurements => true,
            Writes::Nothing | Writes::Viewed => false,
        }
    }

    pub(crate) fn updates(self) -> bool {
        match self {
            Writes::All => true,
            Writes::Inserts | Writes::Nothing | Writes::Measurements | Writes::Viewed => false,
        }
    }

    /// Returns the user's word for the writes; empty for all writes.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Writes::All => "",
            Writes::Inserts => "insert_only",
            Writes::Nothing => "read_only",
            Writes::Measurements => "time_series",
            Writes::Viewed => "view",
        }
    }
}
