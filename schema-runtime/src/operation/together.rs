//! Updates that share a transaction, each of a different document.

use std::sync::Arc;

use mongodb::bson::RawDocumentBuf;

use crate::{
    changes::UpdateSpec,
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{Demand, Effect, Event, WriteView},
        effect_list,
    },
    error::{Error, Result, server},
    executor::{Context, Outcome, Written, in_commands},
    operation::{
        engine::{EngineWrite, Settled},
        write_effects::{Acting, Effects},
    },
};

/// Returns the most documents that a write of a single document writes, which the filter names by `_id`. `None` where
/// the write may not share a transaction with writes of more documents, as where an effect prepares the write outside
/// of the transaction.
pub(super) fn shared_documents(definition: &'static ModelDefinition, write: &WriteView<'_>) -> Option<usize> {
    let documents = |effect: &dyn Effect| {
        let prepares = effect.prepares() && !matches!(write, WriteView::Delete);
        let demands = || effect.demands(definition)(write) > Demand::None;
        if prepares || demands() { effect.shares(definition, write) } else { Some(0) }
    };
    let mut concerned = effect_list::concerning(definition);
    let most = concerned.try_fold(1_u64, |sum, effect| Some(sum.saturating_add(documents(effect)?)))?;
    Some(usize::try_from(most).unwrap_or(usize::MAX))
}

/// Returns whether an effect sends an update of one document in a transaction where the server has transactions.
pub(super) fn is_gathered(context: &Context, definition: &'static ModelDefinition, write: &WriteView<'_>) -> bool {
    effect_list::concerning(definition).any(|effect| effect.gathers(context, definition, write))
}

/// Updates that share a transaction. Each update concerns a different document that the filter names by `_id`.
#[derive(Clone)]
pub(super) struct SharedUpdates {
    pub(super) definition: &'static ModelDefinition,
    pub(super) updates: Arc<[UpdateSpec]>,
    pub(super) acting: Acting,
    pub(super) members: Members,
}

/// The owners of updates that share a transaction.
#[derive(Clone, Copy)]
pub(super) enum Members {
    /// One bulk, which reports all updates together.
    Bulk,
    /// Several callers. Each caller gets the outcome of an update, so that the transaction is taken back where the
    /// outcomes differ: the reply counts the matched and the changed documents, and does not name the documents.
    Callers,
}

impl EngineWrite for SharedUpdates {
    type Prepared = Vec<UpdateSpec>;
    type Answer = Written;
    type Written = Written;

    fn is_atomic(&self) -> bool {
        true
    }

    async fn prepare(&mut self, context: &Context, _: u32) -> Result<(Vec<UpdateSpec>, Effects)> {
        let mut updates = self.updates.to_vec();
        let effects = Effects::of_shared(context, self.definition, &mut updates, self.acting).await?;
        Ok((updates, effects))
    }

    async fn send(&mut self, context: &Context, updates: Vec<UpdateSpec>, _: &mut Effects) -> Result<Written> {
        let statements = updates
            .into_iter()
            .map(|spec| -> Result<RawDocumentBuf> { codec::encode(&spec.into_statement()).map_err(Error::encode) });
        let mut all = Written::default();
        for command in in_commands(statements)? {
            let written = context.update_all(self.definition.collection, command, true).await;
            let mut written = written.map_err(|error| server::write(self.definition, error))?;
            if let Some(refused) = written.refused.pop() {
                return Err(server::refused_write(self.definition, refused));
            }
            all.add(written);
        }
        Ok(all)
    }

    async fn settle(
        &mut self,
        _: &Context,
        effects: &mut Effects,
        answer: Result<Written>,
    ) -> Result<Settled<Written>> {
        let written = answer?;
        effects.note(Event::Updated(&Outcome {
            matched: written.count,
            modified: written.modified,
            upserted_id: None,
        }))?;
        Ok(Settled::Done(written))
    }

    fn conclude(&self, _: &Context, written: Written, finished: Result<()>) -> Result<Written> {
        finished?;
        let count = self.updates.len() as u64;
        let is_known = written.count == count && (written.modified == 0 || written.modified == count);
        match self.members {
            Members::Callers if !is_known => Err(Error::not_found(self.definition)),
            Members::Callers | Members::Bulk => Ok(written),
        }
    }
}
