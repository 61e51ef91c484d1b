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
    operation::effects::Effects,
};

/// Returns whether a write of a single document, which the filter names by `_id`, may share a transaction with writes of more documents. No
/// effect prepares anything for the write outside of the transaction.
pub(super) fn may_share(definition: &'static ModelDefinition, write: &OneWrite<'_>) -> bool {
    let mut concerned = EFFECTS.iter().filter(|effect| (effect.concerns)(definition));
    let shares = |effect: &Effect| match effect.asks(definition, write) {
        true => (effect.shares)(write),
        false => matches!(write, OneWrite::Delete) || !effect.prepares,
    };
    concerned.all(shares)
}

/// Sends updates in a transaction that has begun, with the effects that ask for an update. Each update concerns a different document that the
/// filter names by `_id`.
pub(super) async fn update_together(
    context: &Context,
    definition: &'static ModelDefinition,
    mut updates: Vec<Sent>,
) -> Result<Written> {
    let mut effects = Effects::of_shared(context, definition, &mut updates).await?;
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
