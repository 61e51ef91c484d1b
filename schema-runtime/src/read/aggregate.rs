//! The `aggregate`, beside the `find` the second kind of a read; the documents arrive raw, in batches.

use std::ops::ControlFlow;

use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::{batch, documents_in};
use crate::{error::Result, executor::Context};

/// More documents than one reply can hold: the server then fills each reply up to 16 MB.
pub(super) const WHOLE_REPLIES: u32 = i32::MAX as u32;

/// An `aggregate`, as data.
#[derive(Clone, Debug)]
pub(crate) struct Aggregate {
    /// The collection; `None` for a pipeline that begins with its own documents.
    pub(crate) collection: Option<&'static str>,
    pub(crate) pipeline: Vec<Document>,
}

impl Aggregate {
    /// Hands each document to `visit`, in the server's order, until `visit` breaks.
    pub(crate) async fn for_each(
        self,
        context: &Context,
        mut visit: impl FnMut(&RawDocument) -> Result<ControlFlow<()>> + Send,
    ) -> Result<()> {
        let mut batches = context.aggregate(self.collection, self.pipeline, WHOLE_REPLIES).await?;
        while let Some(batch) = batches.next().await {
            for document in documents_in(&batch?)? {
                if visit(document?)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns all documents, for a pipeline with few results.
    pub(crate) async fn all(self, context: &Context) -> Result<Vec<Document>> {
        batch::all(context.aggregate(self.collection, self.pipeline, WHOLE_REPLIES).await?).await
    }

    /// Returns the command.
    pub(crate) fn into_command(self) -> Document {
        let target = self.collection.map_or(Bson::Int32(1), Bson::from);
        doc! { "aggregate": target, "pipeline": self.pipeline, "cursor": {} }
    }
}
