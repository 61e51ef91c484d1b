//! The documents of updates, for effects that compare a document before its update with the same document afterwards. Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use crate::{
    document::equal_to,
    error::{Error, Result},
    executor::{Context, Outcome, Sent},
    key::Key,
    limits::TRANSACTION_DOCUMENTS,
    read::Query,
};

/// The documents of one update, or of several updates of different documents.
#[derive(Debug, Default)]
pub(super) struct Updated {
    /// The updates, by the `_id` of the document where the filter names the `_id`.
    updates: Vec<(Option<Key>, Document)>,
    /// True when an update has found fewer documents than were read.
    has_missed: bool,
    /// The documents as they were.
    pub(super) before: Vec<Document>,
    /// The `_id`s of the documents that the update has inserted.
    pub(super) upserted: Vec<Bson>,
    /// True when the documents were read before the update was sent.
    pub(super) has_read: bool,
}

impl Updated {
    /// Adds an update that is under way.
    pub(super) fn add_update(&mut self, sent: &Sent) {
        self.updates.push((equal_to(&sent.filter, "_id").map(Key::of), sent.update.clone()));
    }

    /// Returns each document that was read, with its update operators; `None` where only the server knows the result of the update.
    pub(super) fn update_of_each(&self) -> impl Iterator<Item = (&Document, Option<&Document>)> {
        let several: HashMap<&Key, &Document> =
            self.updates.iter().filter_map(|(key, update)| Some((key.as_ref()?, update))).collect();
        self.before.iter().map(move |before| {
            let update = match &self.updates[..] {
                _ if self.has_missed => None,
                [(_, update)] => Some(update),
                _ => before.get("_id").and_then(|id| several.get(&Key::of(id)).copied()),
            };
            (before, update)
        })
    }

    /// Reads the projected fields of the documents of several updates. Each filter names a different document by `_id`.
    pub(super) async fn read_each_before(
        &mut self,
        context: &Context,
        collection: &'static str,
        projection: &Document,
        updates: &[Sent],
    ) -> Result<()> {
        let ids: Vec<Bson> = updates.iter().filter_map(|sent| equal_to(&sent.filter, "_id").cloned()).collect();
        self.before = read_by_ids(&context.newest(), collection, &ids, projection).await?;
        self.has_read = true;
        Ok(())
    }

    /// Reads the projected fields of the documents that match the filter of an update, before the update. An update of one document then
    /// names the document that was read.
    pub(super) async fn read_before(
        &mut self,
        context: &Context,
        collection: &'static str,
        projection: Document,
        sent: &mut Sent,
        many: bool,
    ) -> Result<()> {
        let mut query = Query::new(collection, sent.filter.clone());
        query.projection = projection;
        query.limit = u64::from(!many);
        self.before = query.all(&context.newest()).await?;
        self.has_read = true;
        if let (false, [document]) = (many, &self.before[..])
            && let Some(id) = document.get("_id")
        {
            sent.filter = doc! { "$and": [std::mem::take(&mut sent.filter), { "_id": { "$eq": id } }] };
        }
        Ok(())
    }

    /// Adds the document that an update has found, in the state before or after the update. A document without a state before the update
    /// was inserted.
    pub(super) fn add_found(&mut self, found: Option<&RawDocumentBuf>, after: bool) -> Result<()> {
        let parsed = found.map(|found| Document::try_from(&**found).map_err(Error::encode)).transpose()?;
        match (after, self.has_read) {
            (false, false) => self.before.extend(parsed),
            (true, _) if self.before.is_empty() => {
                self.upserted.extend(parsed.and_then(|document| document.get("_id").cloned()));
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the outcome of an update.
    pub(super) fn add_outcome(&mut self, outcome: Option<&Outcome>) {
        self.has_missed |= outcome.is_some_and(|outcome| outcome.matched < self.before.len() as u64);
        self.upserted.extend(outcome.and_then(|outcome| outcome.upserted_id.clone()));
    }
}

/// Reads these fields of the documents with the given `_id`s.
pub(super) async fn read_by_ids(
    context: &Context,
    collection: &'static str,
    ids: &[Bson],
    projection: &Document,
) -> Result<Vec<Document>> {
    let mut read = Vec::new();
    for ids in ids.chunks(TRANSACTION_DOCUMENTS) {
        let query = Query { projection: projection.clone(), ..Query::by_ids(collection, ids) };
        read.extend(query.all(context).await?);
    }
    Ok(read)
}
