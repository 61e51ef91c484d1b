//! The fields that the crate sets.

use syn::Path;

use crate::words::words;

/// A field that the crate sets at every write, with the user's word.
pub(crate) struct ManagedField {
    pub(crate) managed: Managed,
    pub(crate) tokens: Path,
}

words! {
    /// The value that the crate sets a field to.
    pub(crate) enum Managed {
        Version = "version",
        CreatedAt = "created_at",
        UpdatedAt = "updated_at",
    }
}
