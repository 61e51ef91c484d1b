//! Deletes, with the effects around the deletes.

mod by_id;
mod found;

use futures_util::future::BoxFuture;
use mongodb::bson::Document;

use by_id::DeleteById;
pub use found::FindOneAndDelete;

use super::{
    asked::asked_of,
    atomic::to_the_end,
    engine::{self, EngineWrite, FilterWrite, Settled},
    lane,
    selection::context_of,
    update,
    write_effects::Effects,
};
use crate::{
    changes::Reach,
    definition::ModelDefinition,
    derived::{
        effect::{Delete, Demand, Effect, EffectList, WriteView, Writer},
        effect_list::EFFECTS,
    },
    error::{Result, server},
    executor::{Context, Executor},
};

/// Deletes a document that matches the filter, and returns whether a document matched.
pub(super) fn delete_one<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    filter: Result<Document>,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let (context, filter) = (context_of(db, definition, None)?, filter?);
        if let Some(delete) = DeleteById::new(&context, definition, &filter) {
            return Ok(lane::run(&context, definition, delete).await?.matched > 0);
        }
        Ok(delete_to_the_end(context, definition, filter, Reach::One).await? > 0)
    })
}

/// Deletes all documents that match the filter, and returns the number.
pub(super) fn delete_many<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    filter: Result<Document>,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move { delete_to_the_end(context_of(db, definition, None)?, definition, filter?, Reach::All).await })
}

fn delete_to_the_end<'a>(
    context: Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
) -> BoxFuture<'a, Result<u64>> {
    to_the_end(context, definition, move |context| {
        Box::pin(async move { delete(&context, definition, filter, reach).await })
    })
}

/// The functions that an effect calls for further deletes and updates. No effect has acted on the delete yet.
pub(crate) const WRITER: Writer =
    Writer { left: EFFECTS, delete: delete_rest, delete_all, update_many: update::update_all };

/// Deletes the documents that the filter and the reach select, with all effects.
pub(super) async fn delete(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
) -> Result<u64> {
    delete_rest(context, definition, filter, reach, EFFECTS).await
}

/// Deletes with the given effects, in reverse order.
fn delete_rest<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
    left: EffectList,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let mut deleted = 0;
        let write = DeleteWrite { definition, filter, reach, step: step_of(definition, left) };
        engine::run_in_parts(context, write, |part| deleted += part).await?;
        Ok(deleted)
    })
}

/// A delete as a write of the engine.
#[derive(Clone)]
struct DeleteWrite {
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
    /// The effect that deletes the documents; `None` for a plain delete.
    step: Option<DeleteStep>,
}

/// An effect with a delete function.
#[derive(Clone, Copy)]
struct DeleteStep {
    effect: &'static dyn Effect,
    delete: Delete,
    /// The effects that are left after the effect.
    left: EffectList,
}

impl EngineWrite for DeleteWrite {
    type Prepared = Document;
    type Answer = u64;
    type Written = u64;

    fn is_atomic(&self) -> bool {
        let demand = |step: &DeleteStep| step.effect.demands(self.definition)(&WriteView::Delete);
        self.step.as_ref().map(demand) == Some(Demand::Transaction)
    }

    async fn prepare(&mut self, _: &Context, _: u32) -> Result<(Document, Effects)> {
        Ok((self.filter.clone(), Effects::default()))
    }

    async fn send(&mut self, context: &Context, filter: Document, _: &mut Effects) -> Result<u64> {
        let definition = self.definition;
        let deleted = match self.step {
            Some(DeleteStep { delete, left, .. }) => {
                return delete(context, definition, filter, self.reach, Writer { left, ..WRITER }).await;
            }
            None => {
                let own = context.own(&asked_of(definition))?;
                match self.reach.is_many() {
                    true => own.delete_many(definition.collection, filter).await,
                    false => own.delete_one(definition.collection, filter).await,
                }
            }
        };
        deleted.map_err(|error| server::write(definition, error))
    }

    async fn settle(&mut self, _: &Context, _: &mut Effects, answer: Result<u64>) -> Result<Settled<u64>> {
        answer.map(Settled::Done)
    }
}

impl FilterWrite for DeleteWrite {
    fn definition(&self) -> &'static ModelDefinition {
        self.definition
    }

    fn divisible(&self) -> Option<&Document> {
        self.reach.is_many().then_some(&self.filter)
    }

    fn of_part(&self, filter: Document) -> Self {
        DeleteWrite { filter, ..self.clone() }
    }
}

/// Deletes all documents that match, as a part of another delete.
fn delete_all<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    filter: Document,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move { delete(&context.of_effects(), definition, filter, Reach::All).await })
}

/// Returns the last of the given effects with a delete function.
fn step_of(definition: &'static ModelDefinition, left: EffectList) -> Option<DeleteStep> {
    let (last, left) = left.split_last()?;
    let delete = if last.concerns(definition) { last.delete(definition) } else { None };
    match delete {
        Some(delete) => Some(DeleteStep { effect: *last, delete, left }),
        None => step_of(definition, left),
    }
}
