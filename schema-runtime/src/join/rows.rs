//! The rows of a join on the server.

use std::fmt;

use super::Joined;
use crate::{
    error::{Error, Result},
    model::Model,
};

/// A document of the outer side, and what is joined to it: a parent and its children, or a child and its parent.
pub type Row<P, C, T = C> = (P, Joined<T, C>);

/// What a join on the server gives: documents, each with what is joined to it, in the order of the query.
pub struct Rows<P, C: Model, T = C> {
    rows: Vec<Row<P, C, T>>,
    failed: Vec<Error>,
}

impl<P, C: Model, T> Rows<P, C, T> {
    pub(crate) fn new(rows: Vec<Row<P, C, T>>, failed: Vec<Error>) -> Self {
        Rows { rows, failed }
    }

    /// The parents that fit their struct, each with its children.
    pub fn iter(&self) -> std::slice::Iter<'_, Row<P, C, T>> {
        self.rows.iter()
    }

    /// How many parents [`iter`](Rows::iter) gives.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether [`iter`](Rows::iter) gives none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Why the parents that do not fit their struct do not. Of such a parent the children are not known.
    pub fn failed(&self) -> &[Error] {
        &self.failed
    }

    /// The parents that fit their struct, each with its children, and why the others do not.
    pub fn into_parts(self) -> (Vec<Row<P, C, T>>, Vec<Error>) {
        (self.rows, self.failed)
    }

    /// The rows, if every parent fits its struct. A row's own children may still miss some.
    ///
    /// # Errors
    /// The first parent that does not fit.
    pub fn into_vec(self) -> Result<Vec<Row<P, C, T>>> {
        match self.failed.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(self.rows),
        }
    }
}

impl<P: fmt::Debug, C: Model, T: fmt::Debug> fmt::Debug for Rows<P, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Rows").field("rows", &self.rows).field("failed", &self.failed).finish()
    }
}
