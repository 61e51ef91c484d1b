//! Commands that write one document and return the document.

use std::{pin::pin, sync::Arc};

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Document, RawDocumentBuf, doc},
    error::Error as DriverError,
    options::{FindOneAndDeleteOptions, FindOneAndUpdateOptions, ReturnDocument},
};

use super::{
    Context,
    options::{OperationOptions, command::add_options},
    plainly,
    session::{lock, on_a_task},
    shown,
};
use crate::error::Result;

/// The one document that a write selects and returns: the first document that matches, in the order of the sort.
#[derive(Clone, Default)]
pub(crate) struct Selected {
    pub(crate) filter: Document,
    /// Empty for the order of the server.
    pub(crate) sort: Document,
    /// The projection document of the returned document; empty for the whole document.
    pub(crate) returned: Document,
    /// The options of the operation, which the context of the command has.
    pub(crate) options: Option<Arc<OperationOptions>>,
}

impl Selected {
    /// Returns the `findAndModify` command of the selected document, without the change.
    pub(crate) fn into_command(self, collection: &str) -> Document {
        let Selected { filter, sort, returned, options } = self;
        let mut command = doc! { "findAndModify": collection, "query": filter };
        for (name, part) in [("sort", sort), ("fields", returned)] {
            if !part.is_empty() {
                command.insert(name, part);
            }
        }
        command.extend(options.iter().flat_map(|options| options.plan()));
        command
    }
}

impl Context {
    /// Deletes the selected document, and returns the document.
    pub(crate) fn find_one_and_delete<'a>(
        &'a self,
        collection: &'static str,
        selected: Selected,
    ) -> BoxFuture<'a, Result<Option<RawDocumentBuf>, DriverError>> {
        Box::pin(async move {
            let Selected { filter, sort, returned, .. } = selected;
            let mut given = self.given().await?;
            let mut options = FindOneAndDeleteOptions::builder()
                .sort((!sort.is_empty()).then_some(sort))
                .projection((!returned.is_empty()).then_some(returned))
                .build();
            add_options!(given, options, [hint, collation, comment, max_time]);
            let shown = || shown::find_one_and_delete(collection, &filter, &options);
            let span = self.span("findAndModify", collection, Some(&filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<RawDocumentBuf>(collection)
                .find_one_and_delete(filter)
                .with_options(options))
        })
    }

    /// Replaces the selected document by the result of a pipeline, and returns the document before or after the
    /// replacement.
    pub(crate) fn find_one_and_replace<'a>(
        &'a self,
        collection: &'static str,
        selected: Selected,
        pipeline: Vec<Document>,
        after: bool,
    ) -> BoxFuture<'a, Result<Option<RawDocumentBuf>, DriverError>> {
        Box::pin(async move {
            let Selected { filter, sort, returned, .. } = selected;
            let mut given = self.given().await?;
            let mut options = FindOneAndUpdateOptions::builder()
                .sort((!sort.is_empty()).then_some(sort))
                .projection((!returned.is_empty()).then_some(returned))
                .return_document(if after { ReturnDocument::After } else { ReturnDocument::Before })
                .build();
            add_options!(given, options, [hint, collation, comment, max_time]);
            let shown = || shown::find_one_and_update(collection, &filter, pipeline.clone(), &options);
            let span = self.span("findAndModify", collection, Some(&filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<RawDocumentBuf>(collection)
                .find_one_and_update(filter, pipeline)
                .with_options(options))
        })
    }
}
