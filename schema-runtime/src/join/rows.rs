//! The rows of a join on the server.

use derive_where::derive_where;

use super::Joined;
use crate::{
    error::{Error, Result},
    model::Model,
};

/// A document of the outer side, and the joined documents: a parent and the children, or a child and the parent.
pub type Row<P, C, T = C> = (P, Joined<T, C>);

/// The result of a join on the server: documents, each with the joined documents, in the order of the query.
#[derive_where(Debug; P, T)]
pub struct Rows<P, C: Model, T = C> {
    rows: Vec<Row<P, C, T>>,
    failed: Vec<Error>,
}

impl<P, C: Model, T> Rows<P, C, T> {
    pub(crate) fn new(rows: Vec<Row<P, C, T>>, failed: Vec<Error>) -> Self {
        Rows { rows, failed }
    }

    /// Iterates over the parents that fit the struct, each with the children.
    pub fn iter(&self) -> std::slice::Iter<'_, Row<P, C, T>> {
        self.rows.iter()
    }

    /// Returns the number of parents in [`iter`](Rows::iter).
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether [`iter`](Rows::iter) is empty.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the errors of the parents that do not fit the struct. The children of a failed parent are not known.
    pub fn failed(&self) -> &[Error] {
        &self.failed
    }

    /// Returns the parents that fit the struct, each with the children, and the errors of the remaining parents.
    pub fn into_parts(self) -> (Vec<Row<P, C, T>>, Vec<Error>) {
        (self.rows, self.failed)
    }

    /// Returns the rows, if every parent fits its struct. A row may still miss children.
    ///
    /// # Errors
    /// The error of the first parent that does not fit.
    pub fn into_vec(self) -> Result<Vec<Row<P, C, T>>> {
        match self.failed.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(self.rows),
        }
    }
}
