//! One page of the children of a parent.

use std::fmt;

use super::{Cursor, Joined};
use crate::{error::Error, model::Model};

/// One page.
pub struct Page<T, C: Model = T> {
    /// The children, in the relation's order. One that does not fit the struct is among the
    /// [`failed`](Joined::failed), and has its place in the count of the page.
    pub items: Joined<T, C>,
    /// Where the next page begins; `None` when this is the last.
    pub next: Option<Cursor>,
}

impl<T, C: Model> Page<T, C> {
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

    /// Why the documents that do not fit do not.
    pub fn failed(&self) -> Vec<&Error> {
        self.items.failed()
    }
}

impl<T: fmt::Debug, C: Model> fmt::Debug for Page<T, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Page").field("items", &self.items).field("next", &self.next).finish()
    }
}
