//! The documents of an update, for effects that compare a document before the update with the same document after it. Reaches the server.

use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use crate::{
    error::{Error, Result},
    executor::{Context, Outcome, Sent},
    read::Query,
};

/// The documents of one update.
#[derive(Debug, Default)]
pub(super) struct Updated {
    /// The documents as they were.
    pub(super) before: Vec<Document>,
    /// The `_id`s of the documents that the update has inserted.
    pub(super) upserted: Vec<Bson>,
    /// Whether the documents were read before the update was sent.
    pub(super) has_read: bool,
}

impl Updated {
    /// Reads these fields of the documents that an update is of, before the update. An update of one document is then of the document that was
    /// read.
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

    /// Takes in the document that an update has found, as the document was before or is after. A document that was not there before was
    /// inserted.
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

    /// Takes in the outcome of an update.
    pub(super) fn add_outcome(&mut self, outcome: Option<&Outcome>) {
        self.upserted.extend(outcome.and_then(|outcome| outcome.upserted_id.clone()));
    }
}
