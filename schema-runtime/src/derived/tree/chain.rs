//! The ancestors of a document. Pure.

use mongodb::bson::Bson;

use super::id::{SEPARATOR, text_of};
use crate::key::Key;

/// The `_id`s of ancestors, the root first: as a path, as an array or as both, in the form that the model stores.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chain {
    pub(super) path: String,
    pub(super) ids: Vec<Bson>,
    /// The number of ancestors.
    pub(crate) depth: usize,
}

impl Chain {
    /// Creates the chain from the stored values. The path counts when the path and the array disagree.
    pub(super) fn new(path: Option<&str>, ids: Option<Vec<Bson>>) -> Self {
        let depth = match (path, &ids) {
            (Some(path), _) => path.matches(SEPARATOR).count(),
            (None, ids) => ids.as_ref().map_or(0, Vec::len),
        };
        Chain { path: path.unwrap_or_default().to_owned(), ids: ids.unwrap_or_default(), depth }
    }

    /// Returns whether the document is among the ancestors.
    pub(super) fn contains(&self, id: &Bson) -> bool {
        let in_path = text_of(id).is_some_and(|text| self.path.split_terminator(SEPARATOR).any(|other| other == text));
        in_path || self.ids.iter().any(|other| Key::of(other) == Key::of(id))
    }
}
