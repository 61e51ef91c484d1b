//! Updates and deletes of a bulk that are sent with all that belongs to them: those of different documents in one transaction, and each by itself
//! where the server refuses one of them.

use std::collections::HashSet;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, doc};

use super::{
    BulkReport,
    command::Batch,
    fill::send_alone,
    report::refusal,
    statement::{Kind, Write, statement},
};
use crate::{
    definition::ModelDefinition,
    derived::effect::Effect,
    error::{Error, Result, server},
    executor::{Context, Outcome, Sent, Written, in_commands},
    key::Key,
    operation::{atomic::atomically, delete, effects::Effects},
};

/// Sends a batch. What follows the writes that are done may have failed: that is the error.
pub(super) async fn send(
    context: &Context,
    definition: &'static ModelDefinition,
    writes: &[Write],
    batch: &Batch,
    ordered: bool,
    report: &mut BulkReport<Bson>,
) -> Result<()> {
    let mut finished = Ok(());
    let batch_of = |positions: Vec<usize>| Batch { kind: batch.kind, positions, sending: batch.sending };
    for positions in of_different_documents(writes, &batch.positions) {
        if positions.len() > 1 {
            let part: Vec<&Write> = positions.iter().map(|at| &writes[*at]).collect();
            match send_together(context, definition, batch.kind, &part).await {
                Ok(written) => {
                    report.add(&batch_of(positions), ordered, Ok(written));
                    continue;
                }
                // One of them is refused: which one is found by sending each by itself.
                Err(error) if error.writes_nothing() && !context.in_transaction() => {}
                Err(error) => {
                    add_failure(report, &batch_of(positions), error);
                    return finished;
                }
            }
        }
        for at in positions {
            let one = batch_of(vec![at]);
            match send_alone(context, definition, &writes[at]).await {
                Ok(alone) => {
                    report.add(&one, ordered, alone.written);
                    finished = finished.and(alone.finished);
                }
                Err(error) => add_failure(report, &one, error),
            }
            if report.is_stopped(ordered || context.in_transaction()) {
                return finished;
            }
        }
    }
    finished
}

/// A write that is refused has done nothing; another failure leaves the writes of the batch unknown.
fn add_failure(report: &mut BulkReport<Bson>, batch: &Batch, error: Error) {
    match error.writes_nothing() {
        true => report.add_each(batch, vec![Err(error)]),
        false => report.fail(batch, error),
    }
}

/// The positions in their order, in parts of which each has no document twice.
fn of_different_documents(writes: &[Write], positions: &[usize]) -> Vec<Vec<usize>> {
    if let [at] = positions {
        return vec![vec![*at]];
    }
    let (mut parts, mut seen) = (vec![Vec::new()], HashSet::new());
    for at in positions {
        if let Some(key) = writes[*at].id().as_ref().map(Key::of)
            && !seen.insert(key.clone())
        {
            seen = HashSet::from([key]);
            parts.push(Vec::new());
        }
        parts.last_mut().into_iter().for_each(|part| part.push(*at));
    }
    parts
}

async fn send_together(
    context: &Context,
    definition: &'static ModelDefinition,
    kind: Kind,
    writes: &[&Write],
) -> Result<Written> {
    if kind == Kind::Delete {
        let ids: Vec<Bson> = writes.iter().filter_map(|write| write.id()).collect();
        return Ok(Written::of(delete::delete(context, definition, doc! { "_id": { "$in": ids } }, true).await?));
    }
    let send = |context: Context| -> BoxFuture<'_, Result<Written>> {
        Box::pin(async move { update_together(&context, definition, writes).await })
    };
    atomically(context, true, send).await
}

async fn update_together(
    context: &Context,
    definition: &'static ModelDefinition,
    writes: &[&Write],
) -> Result<Written> {
    let sent = writes.iter().map(|write| Ok(write.sent()?.0));
    let mut updates = sent.collect::<Result<Vec<Sent>>>()?;
    let asks = |effect: &Effect| writes.iter().any(|write| (effect.atomic)(definition)(&write.one()));
    let mut effects = Effects::of_shared(context, definition, &mut updates, asks).await?;
    let statements = updates.into_iter().map(|sent| statement(&sent.into_statement(false)));
    let mut all = Written::default();
    for command in in_commands(statements)? {
        let written = context.update_all(definition.collection, command, true).await;
        let mut written = written.map_err(|error| server::write(definition, error))?;
        if let Some(refused) = written.refused.pop() {
            return Err(refusal(definition, refused));
        }
        all.add(written);
    }
    effects.heard(Ok(Outcome { matched: all.count, modified: all.modified, upserted_id: None }))?;
    effects.finish(context).await?;
    Ok(all)
}
