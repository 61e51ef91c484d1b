//! Large updates and deletes in parts of the size of one transaction. Children are sorted by parent, so that few
//! transactions write each parent.

use std::{collections::VecDeque, ops::ControlFlow};

use mongodb::bson::{Bson, Document, RawDocument, doc};

use crate::{
    definition::ModelDefinition,
    error::Result,
    executor::Context,
    key::Key,
    limits::{SORTED_DOCUMENTS, TRANSACTION_DOCUMENTS},
    read::{self, Query},
};

/// The documents that match a filter, in parts. The documents are read in ascending order of `_id`; documents that are
/// read together are sorted by parent.
pub(super) struct InParts<'a> {
    definition: &'static ModelDefinition,
    filter: &'a Document,
    /// The `_id`s of the next parts.
    parts: VecDeque<Vec<Bson>>,
    /// The last `_id` that was read.
    after: Option<Bson>,
    /// True when all documents are read.
    is_read: bool,
}

impl<'a> InParts<'a> {
    pub(super) fn new(definition: &'static ModelDefinition, filter: &'a Document) -> Self {
        InParts { definition, filter, parts: VecDeque::new(), after: None, is_read: false }
    }

    /// Returns the filter of the next part; `None` after the last part.
    pub(super) async fn next(&mut self, context: &Context) -> Result<Option<Document>> {
        if self.parts.is_empty() && !self.is_read {
            self.read(context).await?;
        }
        let ids = self.parts.pop_front();
        Ok(ids.map(|ids| doc! { "$and": [self.filter.clone(), { "_id": { "$in": ids } }] }))
    }

    /// Reads the `_id`s of further parts.
    async fn read(&mut self, context: &Context) -> Result<()> {
        let parent = self.definition.rolled_up_relation().map(|relation| relation.name);
        let most = if parent.is_some() { SORTED_DOCUMENTS } else { TRANSACTION_DOCUMENTS };
        let mut query = Query::new(self.definition.collection, self.filter.clone()).behind(self.after.as_ref());
        query.limit = most as u64;
        query.projection = ["_id"].into_iter().chain(parent).map(|name| (name.to_owned(), Bson::Int32(1))).collect();
        let mut documents: Vec<(Option<Key>, Bson)> = Vec::new();
        let visit = |document: &RawDocument| {
            let parent = parent.and_then(|parent| Key::of_raw(document.get(parent).ok()??));
            documents.extend(read::id(document).map(|id| (parent, id)));
            Ok(ControlFlow::Continue(()))
        };
        query.for_each(&context.newest(), visit).await?;
        self.is_read = documents.len() < most;
        self.after = documents.last().map(|(_, id)| id.clone());
        documents.sort_by(|(one, _), (other, _)| one.cmp(other));
        let ids: Vec<Bson> = documents.into_iter().map(|(_, id)| id).collect();
        self.parts.extend(ids.chunks(TRANSACTION_DOCUMENTS).map(<[Bson]>::to_vec));
        Ok(())
    }
}
