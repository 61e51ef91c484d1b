//! Updates that share a transaction, each of a different document.

use mongodb::bson::RawDocumentBuf;

use crate::{
    changes::UpdateSpec,
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{Demand, Effect, Event, WriteView},
        effects,
    },
    error::{Error, Result, server},
    executor::{Context, Outcome, Written, in_commands},
    operation::effects::{Acting, Effects},
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
    let mut concerned = effects::concerning(definition);
    let most = concerned.try_fold(1_u64, |sum, effect| Some(sum.saturating_add(documents(effect)?)))?;
    Some(usize::try_from(most).unwrap_or(usize::MAX))
}

/// Returns whether an effect sends an update of one document in a transaction where the server has transactions.
pub(super) fn is_gathered(context: &Context, definition: &'static ModelDefinition, write: &WriteView<'_>) -> bool {
    effects::concerning(definition).any(|effect| effect.gathers(context, definition, write))
}

/// Sends updates and runs the effects of the updates, in a transaction that has begun. Each update concerns a different
/// document that the filter names by `_id`.
pub(super) async fn update_together(
    context: &Context,
    definition: &'static ModelDefinition,
    mut updates: Vec<UpdateSpec>,
    acting: Acting,
) -> Result<Written> {
    let mut effects = Effects::of_shared(context, definition, &mut updates, acting).await?;
    let statements = updates
        .into_iter()
        .map(|spec| -> Result<RawDocumentBuf> { codec::encode(&spec.into_statement()).map_err(Error::encode) });
    let mut all = Written::default();
    for command in in_commands(statements)? {
        let written = context.update_all(definition.collection, command, true).await;
        let mut written = written.map_err(|error| server::write(definition, error))?;
        if let Some(refused) = written.refused.pop() {
            return Err(server::refused_write(definition, refused));
        }
        all.add(written);
    }
    effects.note(Event::Updated(&Outcome { matched: all.count, modified: all.modified, upserted_id: None }))?;
    effects.finish(context).await?;
    Ok(all)
}
