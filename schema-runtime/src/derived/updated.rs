//! The documents of updates, for effects that compare a document before its update with the same document afterwards.
//! Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document, RawDocumentBuf};

use crate::{
    changes::{ChangeSet, UpdateSpec},
    derived::effect::{Event, Returns},
    document::equal_to,
    error::{Error, Result},
    executor::Context,
    key::Key,
    limits::TRANSACTION_DOCUMENTS,
    read::Query,
};

/// The documents of one update, or of several updates of different documents.
#[derive(Debug, Default)]
pub(super) struct Updated {
    /// The updates, by the `_id` of the document where the filter names the `_id`.
    updates: Vec<(Option<Key>, ChangeSet)>,
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
    pub(super) fn add_update(&mut self, spec: &UpdateSpec) {
        self.updates.push((equal_to(&spec.filter, "_id").map(Key::of), spec.changes.clone()));
    }

    /// Returns each document that was read, with its changes; `None` where only the server knows the result of the
    /// update.
    pub(super) fn update_of_each(&self) -> impl Iterator<Item = (&Document, Option<&ChangeSet>)> {
        let several: HashMap<&Key, &ChangeSet> =
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
        updates: &[UpdateSpec],
    ) -> Result<()> {
        let ids: Vec<Bson> = updates.iter().filter_map(|spec| equal_to(&spec.filter, "_id").cloned()).collect();
        self.before = read_by_ids(&context.newest(), collection, &ids, projection).await?;
        self.has_read = true;
        Ok(())
    }

    /// Reads the projected fields of the documents that match the filter of an update, before the update. An update of
    /// one document then names the document that was read.
    pub(super) async fn read_before(
        &mut self,
        context: &Context,
        collection: &'static str,
        projection: Document,
        spec: &mut UpdateSpec,
    ) -> Result<()> {
        let mut query = Query::new(collection, spec.filter.clone());
        query.projection = projection;
        query.sort = spec.sort.clone();
        query.limit = u64::from(!spec.is_many());
        self.before = query.all(&context.newest()).await?;
        self.has_read = true;
        if let (false, [document]) = (spec.is_many(), &self.before[..])
            && let Some(id) = document.get("_id")
        {
            spec.narrow_to(id);
        }
        Ok(())
    }

    /// Takes note of an event of the write.
    pub(super) fn note(&mut self, event: Event<'_>) -> Result<()> {
        match event {
            Event::Updated(outcome) => {
                self.has_missed |= outcome.matched < self.before.len() as u64;
                self.upserted.extend(outcome.upserted_id.clone());
            }
            Event::Found(found, returns) => self.add_found(found, returns)?,
            Event::BulkDone(upserted) => self.upserted.extend_from_slice(upserted),
            Event::Failed | Event::InsertedSome => {}
        }
        Ok(())
    }

    /// Adds the document that an update has returned. A document without a state before the update was inserted.
    fn add_found(&mut self, found: Option<&RawDocumentBuf>, returns: Returns) -> Result<()> {
        let parsed = found.map(|found| Document::try_from(&**found).map_err(Error::encode)).transpose()?;
        match (returns, self.has_read) {
            (Returns::Before, false) => self.before.extend(parsed),
            (Returns::After, _) if self.before.is_empty() => {
                self.upserted.extend(parsed.and_then(|document| document.get("_id").cloned()));
            }
            _ => {}
        }
        Ok(())
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
