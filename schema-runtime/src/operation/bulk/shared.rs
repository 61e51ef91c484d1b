//! Updates and deletes of a bulk that are sent with all effects. Writes of different documents share a transaction;
//! when the server refuses a write of the transaction, each write is sent by itself.

use std::{collections::HashSet, sync::Arc};

use mongodb::bson::{Bson, doc};

use super::{
    BulkReport,
    command::{Batch, Order},
    fill::send_alone,
    statement::{Kind, Write},
};
use crate::{
    changes::{Reach, UpdateSpec},
    definition::ModelDefinition,
    error::{Error, Result},
    executor::{Context, Written},
    key::Key,
    operation::{
        delete, engine,
        together::{Members, SharedUpdates},
        write_effects::Acting,
    },
};

/// Sends a batch. The returned error is a failure of the work after the finished writes.
pub(super) async fn send(
    context: &Context,
    definition: &'static ModelDefinition,
    writes: &[Write],
    batch: &Batch,
    order: Order,
    report: &mut BulkReport<Bson>,
) -> Result<()> {
    let mut finished = Ok(());
    let batch_of = |positions: Vec<usize>| Batch { kind: batch.kind, positions, sending: batch.sending };
    for positions in of_different_documents(writes, &batch.positions) {
        if positions.len() > 1 {
            let part: Vec<&Write> = positions.iter().map(|at| &writes[*at]).collect();
            match send_together(context, definition, batch.kind, &part).await {
                Ok(written) => {
                    report.add(&batch_of(positions), order, Ok(written));
                    continue;
                }
                // A write is refused: sending each write by itself finds the refused write.
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
                    report.add(&one, order, alone.written);
                    finished = finished.and(alone.finished);
                }
                Err(error) => add_failure(report, &one, error),
            }
            if report.is_stopped(context, order) {
                return finished;
            }
        }
    }
    finished
}

/// Adds a failure to the report. A refused write has done nothing; another failure leaves the writes of the batch
/// unknown.
fn add_failure(report: &mut BulkReport<Bson>, batch: &Batch, error: Error) {
    match error.writes_nothing() {
        true => report.add_each(batch, vec![Err(error)]),
        false => report.fail(batch, error),
    }
}

/// Splits the positions, in their order, into parts. No part has a document twice.
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
        return Ok(Written::of(delete::delete(context, definition, doc! { "_id": { "$in": ids } }, Reach::All).await?));
    }
    let updates: Arc<[UpdateSpec]> = writes.iter().filter_map(|write| write.spec().cloned()).collect();
    let update = SharedUpdates { definition, updates, acting: Acting::Demanding, members: Members::Bulk };
    engine::run(context, update).await
}
