//! An update as it goes out, and what comes back of it.

use std::mem;

use mongodb::{
    bson::{Bson, Document, doc},
    options::{Hint, UpdateOptions},
    results::UpdateResult,
};
use serde::{Deserialize, Serialize};

/// An update as the server takes it.
#[derive(Clone, Default)]
pub(crate) struct Sent {
    pub(crate) filter: Document,
    pub(crate) update: Document,
    pub(crate) array_filters: Vec<Document>,
    pub(crate) upsert: bool,
    /// The index to find the documents by is that of `_id`.
    pub(crate) by_id: bool,
    /// The validator is not asked.
    pub(crate) is_unchecked: bool,
    /// The paths that it changes, for what is derived from them.
    pub(crate) touched: Vec<String>,
    /// It puts a whole value in the place of another one: what that holds is not filled anew.
    pub(crate) is_whole: bool,
    /// What was read of the document, for a write of all of it or of its ancestors: what that refers to may be gone, and is written again.
    pub(crate) stored: Option<Document>,
    /// What goes before it in a bulk: updates of all documents that match, from which nothing follows.
    pub(crate) before: Vec<Sent>,
}

impl Sent {
    /// The same as an element of `updates`: of one document that matches, or of all (`multi`).
    pub(crate) fn into_statement(self, multi: bool) -> Statement<Document> {
        let hint = self.hint();
        let Sent { filter: q, update: u, array_filters, upsert, .. } = self;
        Statement { q, u, multi, upsert, array_filters, hint }
    }

    fn hint(&self) -> Option<Document> {
        self.by_id.then(|| doc! { "_id": 1 })
    }

    pub(super) fn options(&mut self) -> UpdateOptions {
        let options = UpdateOptions::builder().upsert(self.upsert.then_some(true));
        let hint = self.hint().map(Hint::Keys);
        let bypass = self.is_unchecked.then_some(true);
        options.array_filters(self.array_filters()).hint(hint).bypass_document_validation(bypass).build()
    }

    pub(super) fn array_filters(&mut self) -> Option<Vec<Document>> {
        (!self.array_filters.is_empty()).then(|| mem::take(&mut self.array_filters))
    }
}

impl From<Statement<Document>> for Sent {
    fn from(statement: Statement<Document>) -> Self {
        let Statement { q: filter, u: update, array_filters, upsert, hint, .. } = statement;
        Sent { filter, update, array_filters, upsert, by_id: hint.is_some(), ..Sent::default() }
    }
}

/// An element of `updates`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Statement<U> {
    pub(crate) q: Document,
    pub(crate) u: U,
    pub(crate) multi: bool,
    pub(crate) upsert: bool,
    #[serde(rename = "arrayFilters", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) array_filters: Vec<Document>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<Document>,
}

impl<U> Statement<U> {
    pub(crate) fn new(q: Document, u: U, multi: bool) -> Self {
        Statement { q, u, multi, upsert: false, array_filters: Vec::new(), hint: None }
    }
}

/// What an update did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) matched: u64,
    pub(crate) modified: u64,
    pub(crate) upserted_id: Option<Bson>,
}

impl Outcome {
    /// Whether a document matched or was inserted.
    pub(crate) fn found(&self) -> bool {
        self.matched > 0 || self.upserted_id.is_some()
    }

    /// Of both updates together.
    pub(crate) fn add(&mut self, more: Outcome) {
        self.matched += more.matched;
        self.modified += more.modified;
        self.upserted_id = self.upserted_id.take().or(more.upserted_id);
    }
}

impl From<UpdateResult> for Outcome {
    fn from(result: UpdateResult) -> Self {
        Outcome { matched: result.matched_count, modified: result.modified_count, upserted_id: result.upserted_id }
    }
}
