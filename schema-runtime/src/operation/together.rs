//! Updates that share a transaction, each of a different document.

use mongodb::bson::RawDocumentBuf;

use crate::{
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{Effect, OneWrite},
        effects::EFFECTS,
    },
    error::{Error, Result, server},
    executor::{Context, Outcome, Sent, Written, in_commands},
    operation::effects::{Acting, Effects},
};

/// Returns whether a write of a single document, which the filter names by `_id`, may share a transaction with writes of more documents. No
/// effect prepares anything for the write outside of the transaction.
pub(super) fn may_share(definition: &'static ModelDefinition, write: &OneWrite<'_>) -> bool {
    let mut concerned = EFFECTS.iter().filter(|effect| (effect.concerns)(definition));
    let shares = |effect: &Effect| match effect.asks(definition, write) {
        true => (effect.shares)(definition, write),
        false => matches!(write, OneWrite::Delete) || !effect.prepares || (effect.shares)(definition, write),
    };
    concerned.all(shares)
}

/// Returns whether an effect sends an update of one document in a transaction where the server has transactions.
pub(super) fn is_gathered(context: &Context, definition: &'static ModelDefinition, write: &OneWrite<'_>) -> bool {
    let mut concerned = EFFECTS.iter().filter(|effect| (effect.concerns)(definition));
    concerned.any(|effect| (effect.gathers)(context, definition, write))
}

/// Returns the most documents that an update of one document writes.
pub(super) fn written_documents(definition: &'static ModelDefinition, write: &OneWrite<'_>) -> usize {
    let concerned = EFFECTS.iter().filter(|effect| (effect.concerns)(definition));
    let most = concerned.fold(1_u64, |sum, effect| sum.saturating_add((effect.fan_out)(definition, write)));
    usize::try_from(most).unwrap_or(usize::MAX)
}

/// Sends updates and runs the effects of the updates, in a transaction that has begun. Each update concerns a different document that the filter names by
/// `_id`.
pub(super) async fn update_together(
    context: &Context,
    definition: &'static ModelDefinition,
    mut updates: Vec<Sent>,
    acting: Acting,
) -> Result<Written> {
    let mut effects = Effects::of_shared(context, definition, &mut updates, acting).await?;
    let statements = updates
        .into_iter()
        .map(|sent| -> Result<RawDocumentBuf> { codec::encode(&sent.into_statement(false)).map_err(Error::encode) });
    let mut all = Written::default();
    for command in in_commands(statements)? {
        let written = context.update_all(definition.collection, command, true).await;
        let mut written = written.map_err(|error| server::write(definition, error))?;
        if let Some(refused) = written.refused.pop() {
            return Err(server::refused_write(definition, refused));
        }
        all.add(written);
    }
    effects.heard(Ok(Outcome { matched: all.count, modified: all.modified, upserted_id: None }))?;
    effects.finish(context).await?;
    Ok(all)
}
