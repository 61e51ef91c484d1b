//! The delete of one document that the delete returns, and the selection of such a document.

use std::{pin::pin, sync::Arc};

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Document, RawDocumentBuf},
    error::Error as DriverError,
    options::FindOneAndDeleteOptions,
};

use super::{
    Context, UpdateRequest,
    options::{OperationOptions, command::add_options},
    plainly,
    session::{lock, on_a_task},
    shown, texts,
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
    /// Returns the request that puts the result of a pipeline into the place of the document.
    pub(crate) fn into_request(self, pipeline: Vec<Document>) -> UpdateRequest {
        let Selected { filter, sort, returned, .. } = self;
        UpdateRequest { filter, pipeline, sort, returned, ..UpdateRequest::default() }
    }

    /// Returns the `findAndModify` command that deletes the document, as the driver sends the command.
    pub(crate) fn into_delete_command(self, collection: &str) -> Document {
        let (filter, options) = self.into_delete();
        shown::find_one_and_delete(collection, &filter, &options)
    }

    fn into_delete(self) -> (Document, FindOneAndDeleteOptions) {
        let Selected { filter, sort, returned, .. } = self;
        let options = FindOneAndDeleteOptions::builder()
            .sort((!sort.is_empty()).then_some(sort))
            .projection((!returned.is_empty()).then_some(returned))
            .build();
        (filter, options)
    }

    /// Returns the options of the operation as the fields of the command.
    pub(crate) fn plan(&self) -> Document {
        self.options.as_ref().map(|options| options.plan()).unwrap_or_default()
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
            let (filter, mut options) = selected.into_delete();
            let mut given = self.given().await?;
            add_options!(given, options, [hint, comment, max_time]);
            options.collation = given.collation(|| {
                texts::compares(&filter) || texts::orders(options.sort.as_ref(), options.projection.as_ref())
            });
            let shown = || shown::find_one_and_delete(collection, &filter, &options);
            let span = self.span("findAndModify", collection, Some(&filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<RawDocumentBuf>(collection)
                .find_one_and_delete(filter)
                .with_options(options))
        })
    }
}
