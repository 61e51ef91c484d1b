//! The `aggregate`, beside the `find` the second kind of a read; the documents arrive raw, in batches.

use std::ops::ControlFlow;

use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::{Query, batch, documents_in};
use crate::{
    error::{Error, Result},
    executor::Context,
    field,
};

/// More documents than one reply can hold: the server then fills each reply up to 16 MB.
pub(super) const WHOLE_REPLIES: u32 = i32::MAX as u32;

/// An `aggregate`, as data.
#[derive(Clone, Debug)]
pub(crate) struct Aggregate {
    /// The collection; `None` for a pipeline that begins with its own documents.
    pub(crate) collection: Option<&'static str>,
    pub(crate) pipeline: Vec<Document>,
}

impl Query {
    /// Returns whether the query is sent as an `aggregate`.
    pub(super) fn is_aggregate(&self) -> bool {
        !self.over.is_empty() || !self.related.is_empty() || self.sample > 0
    }

    /// Refuses a search by place, which an `aggregate` has as the first stage only.
    pub(crate) fn refuse_near(&self) -> Result<()> {
        if field::asks_place(&self.filter) {
            let message = "this read is an aggregation, and the server has no `near` in an aggregation: find the \
                           documents of an area by `within`, or read by `near` alone";
            return Err(Error::Query { message });
        }
        Ok(())
    }

    /// Returns the query as the stages of a pipeline.
    pub(crate) fn into_aggregate(self) -> Aggregate {
        let mut pipeline = self.over;
        let stage = |name: &str, part: Document| (!part.is_empty()).then(|| doc! { name: part });
        pipeline.extend(stage("$match", self.filter));
        if self.sample > 0 {
            pipeline.extend(self.related);
            pipeline.push(doc! { "$sample": { "size": i64::from(self.sample) } });
            pipeline.extend(stage("$sort", self.sort));
        } else {
            // Sorted documents first: an index gives the order, and a limit ends the search for related documents.
            pipeline.extend(stage("$sort", self.sort));
            pipeline.extend(self.related);
        }
        pipeline.extend((self.skip > 0).then(|| doc! { "$skip": self.skip as i64 }));
        pipeline.extend((self.limit > 0).then(|| doc! { "$limit": self.limit as i64 }));
        pipeline.extend((!self.projection.is_empty()).then(|| doc! { "$project": self.projection }));
        Aggregate { collection: Some(self.collection), pipeline }
    }
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
