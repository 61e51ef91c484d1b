//! The number of documents by the metadata of a collection.

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, doc};

use super::Context;
use crate::error::{Error, Result};

impl Context {
    /// Returns the number of documents of a collection, by the metadata of the collection.
    pub(crate) fn estimated_count<'a>(&'a self, collection: &'static str) -> BoxFuture<'a, Result<u64>> {
        Box::pin(async move {
            if self.in_transaction() {
                let message = "the server estimates no count in a transaction: count by `find(Filter::all()).count(..)`, \
                               or estimate outside of the transaction";
                return Err(Error::Query { message });
            }
            let documents = self.database.collection::<Document>(collection);
            let count = documents.estimated_document_count().into_future();
            Ok(self.span("count", collection, None, || doc! { "count": collection }).run(count).await?)
        })
    }
}
