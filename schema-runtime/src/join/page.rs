//! A page of children.

use super::Joined;
use crate::{error::Error, model::Model, page::Page};

impl<T, C: Model> Page<Joined<T, C>> {
    /// Iterates over the children that fit the struct, in the order of the relation.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    /// Returns the number of children in [`iter`](Page::iter).
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether [`iter`](Page::iter) is empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Iterates over the errors of the documents that do not fit; each such document counts in the size of the page.
    pub fn failed(&self) -> impl Iterator<Item = &Error> {
        self.items.failed()
    }
}
