//! The rows of a join on the server.

use derive_where::derive_where;

use super::Joined;
use crate::{
    definition::{InverseDefinition, ModelDefinition, RelationDefinition},
    error::{Error, Result},
    model::Model,
};

/// A document of the outer side, and the joined documents: a parent and the children, or a child and the parent.
pub type Row<P, C, T = C> = (P, Joined<T, C>);

/// The result of a join on the server: documents, each with the joined documents, in the order of the query.
#[derive_where(Debug; P, T)]
#[cfg_attr(not(feature = "json"), allow(dead_code, reason = "JSON has the name"))]
pub struct Rows<P, C: Model, T = C> {
    name: JoinedName,
    rows: Vec<Row<P, C, T>>,
    failed: Vec<Error>,
}

/// The name of the joined documents in the outer model.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "json"), allow(dead_code, reason = "JSON has the name"))]
pub(crate) struct JoinedName {
    /// The field with the references, in Rust, or the accessor of the inverse.
    pub(crate) field: &'static str,
    /// True when a document may have several joined documents.
    pub(crate) is_list: bool,
}

impl JoinedName {
    /// Returns the name of documents that the outer model refers to.
    pub(crate) fn of_referred(outer: &ModelDefinition, field: &'static str) -> Self {
        JoinedName { field, is_list: outer.relation(field).is_none_or(RelationDefinition::is_array) }
    }

    /// Returns the name of documents of `inner` that refer to the outer model by `field`.
    pub(crate) fn of_referring(outer: &ModelDefinition, inner: &ModelDefinition, field: &'static str) -> Self {
        let is_this = |inverse: &&InverseDefinition| inverse.child.name == inner.name && inverse.field == field;
        match outer.inverses.iter().find(is_this) {
            Some(inverse) => JoinedName { field: inverse.accessor, is_list: !inverse.one_to_one },
            None => JoinedName { field, is_list: true },
        }
    }
}

impl<P, C: Model, T> Rows<P, C, T> {
    pub(crate) fn new(name: JoinedName, rows: Vec<Row<P, C, T>>, failed: Vec<Error>) -> Self {
        Rows { name, rows, failed }
    }

    #[cfg(feature = "json")]
    pub(crate) fn name(&self) -> JoinedName {
        self.name
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
