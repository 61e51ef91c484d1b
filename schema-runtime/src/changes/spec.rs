//! An update before the update is sent: the filter, the changes, and the facts that effects need.

use std::mem;

use mongodb::bson::{Bson, Document, doc};

use super::ChangeSet;
use crate::executor::{Statement, UpdateRequest};

/// The documents that a write concerns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// The document with an `_id`.
    ById,
    /// One document that matches.
    #[default]
    One,
    /// A document that matches and that the write returns.
    Returned,
    /// All documents that match.
    All,
}

/// The action of an update that finds no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfAbsent {
    Ignore,
    Insert,
}

/// The writer of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An operation of the caller, or an effect that asks for an ordinary update.
    #[default]
    Operation,
    /// A move or a repair of a tree, which has checked the place and computed the ancestors.
    Tree,
}

/// An update that the effects prepare, and that is then sent.
#[derive(Clone, Default)]
pub(crate) struct UpdateSpec {
    pub(crate) filter: Document,
    pub(crate) changes: ChangeSet,
    pub(crate) array_filters: Vec<Document>,
    /// The order in which the update looks for the one document that the update returns; empty for the order of the
    /// server.
    pub(crate) sort: Document,
    pub(crate) reach: Reach,
    pub(crate) upsert: bool,
    pub(crate) origin: Origin,
    /// The paths that the update changes, for the derived fields that depend on the paths.
    pub(crate) touched: Vec<String>,
    /// True when the update puts a whole value in the place of the document: the copies that the value holds are not
    /// filled again.
    pub(crate) is_whole: bool,
    /// The stored document, read before a write of the whole document or of the ancestors. A document that the stored
    /// document refers to may be gone: the write then keeps the stored copies.
    pub(crate) stored: Option<Document>,
    /// The projection document of a returned document; empty for the whole document.
    pub(crate) returned: Document,
}

impl Reach {
    /// Returns whether the write concerns all documents that match.
    pub(crate) const fn is_many(self) -> bool {
        matches!(self, Reach::All)
    }
}

impl UpdateSpec {
    /// Returns whether the update concerns all documents that match.
    pub(crate) fn is_many(&self) -> bool {
        self.reach.is_many()
    }

    /// Narrows the update to the document with the `_id`.
    pub(crate) fn narrow_to(&mut self, id: &Bson) {
        let filter = mem::take(&mut self.filter);
        self.filter = doc! { "$and": [filter, { "_id": { "$eq": id } }] };
    }

    /// Returns the update in the server's form.
    pub(crate) fn into_request(self) -> UpdateRequest {
        let UpdateSpec { filter, changes, array_filters, sort, upsert, returned, .. } = self;
        let (update, pipeline) = changes.into_sent();
        UpdateRequest { filter, update, pipeline, array_filters, sort, upsert, returned, ..UpdateRequest::default() }
    }

    /// Returns the update as an element of `updates`.
    pub(crate) fn into_statement(self) -> Statement<Bson> {
        let is_many = self.is_many();
        self.into_request().into_statement(is_many)
    }
}
