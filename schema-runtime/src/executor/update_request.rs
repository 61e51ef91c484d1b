//! An update in the form that is sent, and the outcome of an update.

use std::mem;

use mongodb::{
    bson::{Bson, Document, doc},
    options::{FindOneAndUpdateOptions, Hint, ReturnDocument, UpdateModifications, UpdateOptions},
    results::UpdateResult,
};
use serde::{Deserialize, Serialize};

use super::shown;

/// An update in the server's form.
#[derive(Clone, Default)]
pub(crate) struct UpdateRequest {
    pub(crate) filter: Document,
    pub(crate) update: Document,
    /// The stages of an update by pipeline, in the place of `update`; empty for an update by operators.
    pub(crate) pipeline: Vec<Document>,
    pub(crate) array_filters: Vec<Document>,
    pub(crate) upsert: bool,
    /// True when the hint is the index of `_id`.
    pub(crate) by_id: bool,
    /// True when the server skips the validator.
    pub(crate) is_unchecked: bool,
    /// The order in which the update looks for the one document that the update returns; empty for the order of the
    /// server.
    pub(crate) sort: Document,
    /// The projection document of a returned document, where the caller names no fields; empty for the whole document.
    pub(crate) returned: Document,
}

impl UpdateRequest {
    /// Turns the update into an element of `updates`: for one matching document, or for all matching documents
    /// (`multi`).
    pub(crate) fn into_statement(mut self, multi: bool) -> Statement<Bson> {
        let (hint, u) = (self.hint(), shown::changes(self.take_modifications()));
        let UpdateRequest { filter: q, array_filters, upsert, .. } = self;
        Statement { q, u, multi, upsert, array_filters, hint }
    }

    /// Returns the `update` command, as the driver sends the command.
    pub(crate) fn into_command(mut self, collection: &str, many: bool) -> Document {
        let (options, update) = (self.options(), self.take_modifications());
        shown::update(collection, &self.filter, update, many, &options)
    }

    /// Returns the `findAndModify` command that returns the document before the update, as the driver sends the
    /// command.
    pub(crate) fn into_find_and_modify(mut self, collection: &str) -> Document {
        let (options, update) = (self.options_of_returned(false, Document::new()), self.take_modifications());
        shown::find_one_and_update(collection, &self.filter, update, &options)
    }

    /// Takes the operators, or the stages of a pipeline, in the driver's form.
    pub(super) fn take_modifications(&mut self) -> UpdateModifications {
        match self.pipeline.is_empty() {
            true => mem::take(&mut self.update).into(),
            false => mem::take(&mut self.pipeline).into(),
        }
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

    /// Returns the options of the update that returns the document before or after the update, with the fields of
    /// `projection`, or with the fields of the request.
    pub(super) fn options_of_returned(&mut self, after: bool, projection: Document) -> FindOneAndUpdateOptions {
        let projection = if projection.is_empty() { mem::take(&mut self.returned) } else { projection };
        FindOneAndUpdateOptions::builder()
            .upsert(self.upsert.then_some(true))
            .array_filters(self.array_filters())
            .return_document(if after { ReturnDocument::After } else { ReturnDocument::Before })
            .sort((!self.sort.is_empty()).then(|| mem::take(&mut self.sort)))
            .projection((!projection.is_empty()).then_some(projection))
            .build()
    }

    fn array_filters(&mut self) -> Option<Vec<Document>> {
        (!self.array_filters.is_empty()).then(|| mem::take(&mut self.array_filters))
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

/// The outcome of an update.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) matched: u64,
    pub(crate) modified: u64,
    pub(crate) upserted_id: Option<Bson>,
}

impl Outcome {
    /// Returns whether a document matched or was inserted.
    pub(crate) fn found(&self) -> bool {
        self.matched > 0 || self.upserted_id.is_some()
    }

    /// Adds the outcome of a second update.
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
