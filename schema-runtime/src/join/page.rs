//! A page of children.

use super::Joined;
use crate::{error::Error, model::Model, page::Page};

impl<T, C: Model> Page<Joined<T, C>> {
    /// The children that fit the struct, in the relation's order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    /// How many children [`iter`](Page::iter) gives.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether [`iter`](Page::iter) gives none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Why the documents that do not fit do not; each has its place in the count of the page.
    pub fn failed(&self) -> impl Iterator<Item = &Error> {
        self.items.failed()
    }
}
