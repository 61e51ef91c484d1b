//! Updates of all documents that match a filter, in MongoDB's own syntax, with the effects.

use futures_util::future::BoxFuture;

use crate::{
    changes::UpdateSpec,
    definition::ModelDefinition,
    derived::{effect::WriteView, throttle::Propagation},
    error::{Error, Result},
    executor::{Context, Outcome},
    operation::{
        atomic::{atomically, is_atomic},
        effects::Effects,
    },
};

/// Updates all documents that match, as a part of another write, and returns the number.
pub(in crate::operation) fn update_all<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    spec: UpdateSpec,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let must_be = is_atomic(definition, &WriteView::of_update(&spec));
        let write = |context: Context| -> BoxFuture<'_, Result<u64>> {
            let mut spec = spec.clone();
            Box::pin(async move {
                let following = Propagation::default();
                let effects = Effects::of_update(&context, definition, &mut spec, &following);
                let effects = Box::pin(effects).await?;
                Ok(send_to_all(&context, definition, spec, effects).await?.matched)
            })
        };
        atomically(context, must_be, write).await
    })
}

/// Sends an update of all documents that match, and runs the effects.
pub(super) async fn send_to_all(
    context: &Context,
    definition: &'static ModelDefinition,
    spec: UpdateSpec,
    mut effects: Effects,
) -> Result<Outcome> {
    let updated = effects.update_many(context, definition, spec).await;
    // The effects follow the changes that the server made before a failure, unless a transaction undoes the changes.
    // Changes that the server may still be making are left to `recover`.
    let is_over = |error: &Error| error.is_answered() && !context.in_transaction();
    let is_followed = updated.as_ref().err().is_none_or(is_over);
    let finished = if is_followed { effects.finish(context).await } else { Ok(()) };
    updated.and_then(|outcome| finished.map(|()| outcome))
}
