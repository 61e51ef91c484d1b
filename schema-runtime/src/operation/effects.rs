//! What follows a write: the copies of what it changed, and what parents keep of it. One follows whatever becomes of the other.

use mongodb::bson::{Bson, Document, RawDocumentBuf};

use crate::{
    definition::ModelDefinition,
    derived::{
        copies::{Manner, Propagation, SourceRead, Writing},
        rollup::RollupWriting,
    },
    document::{encode_all, parse_all},
    error::{Result, server},
    executor::{Context, Outcome, Sent},
};

/// Nothing follows a write of a model without copies and rollups, nor one that touches none. In boxes: such a write propagates this
/// with it too.
#[derive(Default)]
pub(super) struct Effects {
    pub(super) writing: Option<Box<Writing>>,
    pub(super) rollups: Option<Box<RollupWriting>>,
}

impl Effects {
    /// Of writes that are filled one after the other. `of_one`: one of one document at most.
    pub(super) fn new(definition: &'static ModelDefinition, of_one: bool) -> Self {
        let writing = definition.has_copies().then(|| Box::new(Writing::new(definition, of_one)));
        let rollups = definition.has_rollups().then(|| Box::new(RollupWriting::new(definition)));
        Effects { writing, rollups }
    }

    /// Documents that are to be inserted, as they are to be stored. `known` is a source that was read already.
    pub(super) async fn fill_inserts(
        &mut self,
        context: &Context,
        documents: Vec<RawDocumentBuf>,
        known: Option<&SourceRead>,
    ) -> Result<Vec<RawDocumentBuf>> {
        let mut documents = parse_all(documents)?;
        if let Some(writing) = &mut self.writing {
            writing.fill_inserts(context, &mut documents, known).await?;
        }
        if let Some(rollups) = &mut self.rollups {
            rollups.fill_inserts(context, &mut documents).await?;
        }
        encode_all(documents)
    }

    /// One update of a bulk gets its copies. None is left out: an older copy that is written here is repaired by the look.
    pub(super) async fn fill_update(&mut self, context: &Context, sent: &mut Sent) -> Result<()> {
        match &mut self.writing {
            Some(writing) => writing.fill_update(context, sent, Manner::InBulk).await,
            None => Ok(()),
        }
    }

    /// Whether the updates of a bulk are filled before it is sent.
    pub(super) fn derives_from_updates(&self) -> bool {
        self.writing.is_some()
    }

    /// What follows an update for the parents alone.
    pub(super) async fn of_rollups(
        context: &Context,
        definition: &'static ModelDefinition,
        sent: &mut Sent,
        many: bool,
    ) -> Result<Self> {
        let rollups = RollupWriting::of_update(context, definition, sent, many).await?.map(Box::new);
        Ok(Effects { rollups, ..Effects::default() })
    }

    /// Whether an update of many is to be sent once more.
    pub(super) async fn has_lost(&mut self, context: &Context, matched: u64) -> Result<bool> {
        match &mut self.rollups {
            Some(rollups) => rollups.has_lost(context, matched).await,
            None => Ok(false),
        }
    }

    /// What follows an update, which gets its copies and records.
    pub(super) async fn of_update(
        context: &Context,
        definition: &'static ModelDefinition,
        sent: &mut Sent,
        following: &Propagation,
        manner: Manner,
        many: bool,
    ) -> Result<Self> {
        let mut effects = Effects::default();
        if definition.has_rollups() {
            effects.rollups = RollupWriting::of_update(context, definition, sent, many).await?.map(Box::new);
        }
        if definition.has_copies() {
            let writing = Writing::of_update(context, definition, sent, following, manner);
            effects.writing = Box::pin(writing).await?.map(Box::new);
        }
        Ok(effects)
    }

    /// One update of one document that matches.
    pub(super) async fn update_one(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        sent: Sent,
    ) -> Result<Outcome> {
        let outcome = match &mut self.writing {
            Some(writing) => writing.update_one(context, sent).await?,
            None => {
                let updated = self.context(context).update_one(definition.collection, sent).await;
                updated.map_err(|error| server::write(definition, error))?.into()
            }
        };
        Ok(self.noted(outcome))
    }

    /// One update of all documents that match; once more of those that others have begun to change in between.
    pub(super) async fn update_many(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        sent: Sent,
    ) -> Result<Outcome> {
        let mut outcome = self.update_all(context, definition, sent.clone()).await?;
        let mut matched = outcome.matched;
        while self.has_lost(context, matched).await? {
            let more = self.update_all(context, definition, sent.clone()).await?;
            matched = more.matched;
            outcome.add(more);
        }
        Ok(outcome)
    }

    async fn update_all(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        sent: Sent,
    ) -> Result<Outcome> {
        let outcome = match &mut self.writing {
            Some(writing) => writing.update_many(context, sent).await?,
            None => {
                let updated = self.context(context).update_many(definition.collection, sent).await;
                updated.map_err(|error| server::write(definition, error))?.into()
            }
        };
        Ok(self.noted(outcome))
    }

    /// One update of one document that matches, which comes back.
    pub(super) async fn find_one_and_update(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        sent: Sent,
        after: bool,
    ) -> Result<Option<RawDocumentBuf>> {
        let (all, upsert) = (Document::new(), sent.upsert);
        let found = match &mut self.writing {
            Some(writing) => writing.find_one_and_update(context, sent, after, all).await?,
            None => {
                let found = self.context(context).find_one_and_update(definition.collection, sent, after, all).await;
                found.map_err(|error| server::write(definition, error))?
            }
        };
        if let Some(rollups) = self.rollups.as_mut().filter(|_| upsert) {
            rollups.find_upserted(context).await?;
        }
        Ok(found)
    }

    /// Marks are written to a majority.
    fn context(&self, context: &Context) -> Context {
        if self.rollups.is_some() { context.majority() } else { context.clone() }
    }

    fn noted(&mut self, outcome: Outcome) -> Outcome {
        if let (Some(id), Some(rollups)) = (&outcome.upserted_id, &mut self.rollups) {
            rollups.note_upserted([id.clone()]);
        }
        outcome
    }

    /// What the updates of a bulk did.
    pub(super) fn note_bulk(&mut self, upserted: Vec<Bson>) {
        if let Some(rollups) = &mut self.rollups {
            rollups.note_upserted(upserted.iter().cloned());
        }
        if let Some(writing) = &mut self.writing {
            writing.note_bulk(upserted);
        }
    }

    /// Whether a document that has newer copies than this write would put in is left out by it.
    pub(super) fn is_guarded(&self) -> bool {
        self.writing.as_ref().is_some_and(|writing| writing.is_guarded())
    }

    /// Whether a document that others have begun to change is left out by it.
    pub(super) fn is_pinned(&self) -> bool {
        self.rollups.as_ref().is_some_and(|rollups| rollups.is_pinned())
    }

    /// Whether another attempt may find what this one did not: a source has moved since it was read.
    pub(super) async fn has_moved(&self, context: &Context) -> Result<bool> {
        match &self.writing {
            Some(writing) => writing.has_moved(context).await,
            None => Ok(false),
        }
    }

    /// The same: others have begun to change the document since it was prepared.
    pub(super) async fn has_missed(&self, context: &Context) -> Result<bool> {
        match &self.rollups {
            Some(rollups) => rollups.has_missed(context).await,
            None => Ok(false),
        }
    }

    /// Does all that follows.
    pub(super) async fn finish(self, context: &Context) -> Result<()> {
        let written = match self.writing {
            Some(writing) => writing.finish(context).await,
            None => Ok(()),
        };
        match self.rollups {
            Some(rollups) => rollups.finish(context).await.and(written),
            None => written,
        }
    }

    /// The same where perhaps not all inserts were done.
    pub(super) async fn finish_some(mut self, context: &Context) -> Result<()> {
        if let Some(rollups) = &mut self.rollups {
            rollups.some_only();
        }
        self.finish(context).await
    }
}
