//! An update as a write of the engine, and the functions that run an update.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocument, RawDocumentBuf};

use super::command::Command;
use crate::{
    changes::UpdateSpec,
    definition::ModelDefinition,
    derived::effect::{Reply, Returns},
    error::{Error, Result},
    executor::{Context, Executor, Outcome},
    operation::{
        atomic::to_the_end,
        engine::{self, EngineWrite, FilterWrite, Settled},
        write_effects::Effects,
    },
    read::Query,
};

/// An update, with the value that the update returns.
#[derive(Clone)]
pub(super) struct UpdateWrite {
    pub(super) command: Arc<Command>,
    pub(super) returns: Returns,
}

impl EngineWrite for UpdateWrite {
    type Prepared = UpdateSpec;
    /// `None` where nothing was found.
    type Answer = Option<Reply>;
    type Written = Reply;

    fn is_atomic(&self) -> bool {
        self.command.is_atomic()
    }

    async fn prepare(&mut self, context: &Context, _: u32) -> Result<(UpdateSpec, Effects)> {
        self.command.prepare(context).await
    }

    async fn send(&mut self, context: &Context, spec: UpdateSpec, effects: &mut Effects) -> Result<Option<Reply>> {
        let (definition, upserts) = (self.command.definition(), spec.upsert);
        if self.returns == Returns::Outcome {
            let outcome = match spec.is_many() {
                true => effects.update_many(context, definition, spec).await?,
                false => effects.update_one(context, definition, spec).await?,
            };
            return Ok(outcome.found().then_some(Reply::Outcome(outcome)));
        }
        if self.command.spec().upsert && self.returns == Returns::Before && self.is_atomic() {
            // Only the returned document tells the effects about the inserted document.
            let UpdateSpec { filter, sort, returned, .. } = self.command.spec();
            let query = Query::new(definition.collection, filter.clone());
            let query = Query { sort: sort.clone(), projection: returned.clone(), ..query };
            let before = query.first(context).await?;
            let after = effects.find_one_and_update(context, definition, spec, Returns::After).await?;
            return Ok((after.is_some() || upserts).then_some(Reply::Document(before)));
        }
        let found = effects.find_one_and_update(context, definition, spec, self.returns).await?;
        Ok((found.is_some() || upserts).then_some(Reply::Document(found)))
    }

    async fn settle(
        &mut self,
        context: &Context,
        effects: &mut Effects,
        answer: Result<Option<Reply>>,
    ) -> Result<Settled<Reply>> {
        if self.command.spec().is_many() {
            return match answer {
                Ok(reply) => Ok(Settled::Done(reply.unwrap_or_else(|| self.nothing()))),
                // The effects follow the changes that the server made before a failure, unless a transaction undoes the
                // changes. Changes that the server may still be making are left to `recover`.
                Err(error) if error.is_answered() && !context.in_transaction() => Ok(Settled::PartlyDone(error)),
                Err(error) => Err(error),
            };
        }
        match answer {
            Ok(Some(reply)) => return Ok(Settled::Done(reply)),
            Ok(None) => {}
            // The filter leaves out the stored document, and the upsert inserts a second document.
            Err(error)
                if self.command.spec().upsert && self.command.may_leave_out(effects) && error.is_duplicate_id() => {}
            Err(error) => return engine::settle_failure(context, effects, error).await,
        }
        let may_match_now = self.command.may_match_now(context, effects).await?;
        if let Some(condition) = self.command.condition() {
            condition.judge(self.command.definition(), context).await?;
            return Ok(Settled::Again);
        }
        match may_match_now {
            true => Ok(Settled::Again),
            false if self.command.is_by_id() => Err(Error::not_found(self.command.definition())),
            false => Ok(Settled::Unfinished(self.nothing())),
        }
    }

    fn document(reply: &Reply) -> Option<&RawDocument> {
        match reply {
            Reply::Outcome(_) => None,
            Reply::Document(document) => document.as_deref(),
        }
    }
}

impl UpdateWrite {
    /// Returns the reply to an update that found nothing.
    fn nothing(&self) -> Reply {
        match self.returns {
            Returns::Outcome => Reply::Outcome(Outcome::default()),
            Returns::Before | Returns::After => Reply::Document(None),
        }
    }
}

impl FilterWrite for UpdateWrite {
    fn definition(&self) -> &'static ModelDefinition {
        self.command.definition()
    }

    fn divisible(&self) -> Option<&Document> {
        let spec = self.command.spec();
        (spec.is_many() && !spec.upsert).then_some(&spec.filter)
    }

    fn of_part(&self, filter: Document) -> Self {
        UpdateWrite { command: Arc::new(self.command.of_part(filter)), returns: self.returns }
    }
}

/// Updates one document.
pub(super) fn update_one<'a>(context: Context, command: Command) -> BoxFuture<'a, Result<Outcome>> {
    Box::pin(async move {
        let (definition, is_by_id) = (command.definition(), command.is_by_id());
        if command.is_plain() {
            let outcome = Effects::default().update_one(&context, definition, command.into_spec()).await?;
            return if is_by_id && !outcome.found() { Err(Error::not_found(definition)) } else { Ok(outcome) };
        }
        Ok(write_to_the_end(context, command, Returns::Outcome).await?.into_outcome())
    })
}

/// Runs an update of one document to the end.
fn write_to_the_end<'a>(context: Context, command: Command, returns: Returns) -> BoxFuture<'a, Result<Reply>> {
    to_the_end(context, command.definition(), move |context| {
        Box::pin(async move { engine::run(&context, UpdateWrite { command: Arc::new(command), returns }).await })
    })
}

/// Updates all documents that match.
pub(super) fn update_many<'a>(db: &'a dyn Executor, command: Result<Command>) -> BoxFuture<'a, Result<Outcome>> {
    Box::pin(async move {
        let command = command?;
        let context = command.context(db)?;
        let definition = command.definition();
        if command.is_plain() {
            return Effects::default().update_many(&context, definition, command.into_spec()).await;
        }
        let update = |context: Context| -> BoxFuture<'static, Result<Outcome>> {
            Box::pin(async move {
                command.refuse_full(&context).await?;
                update_parts(&context, command).await
            })
        };
        to_the_end(context, definition, update).await
    })
}

async fn update_parts(context: &Context, command: Command) -> Result<Outcome> {
    let write = UpdateWrite { command: Arc::new(command), returns: Returns::Outcome };
    let mut outcome = Outcome::default();
    engine::run_in_parts(context, write, |reply| outcome.add(reply.into_outcome())).await?;
    Ok(outcome)
}

/// Updates all documents that match, as a part of another write, and returns the number. The documents are written in
/// one transaction where the update must be in a transaction.
pub(in crate::operation) fn update_all<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    spec: UpdateSpec,
) -> BoxFuture<'a, Result<u64>> {
    let command = Arc::new(Command::of_spec(definition, spec));
    Box::pin(async move {
        let context = &context.of_effects();
        let write = UpdateWrite { command, returns: Returns::Outcome };
        Ok(engine::run(context, write).await?.into_outcome().matched)
    })
}

/// Updates one document, and returns the document in the state before or after the update.
pub(super) fn find_one_and_update<'a>(
    db: &'a dyn Executor,
    command: Result<Command>,
    returns: Returns,
) -> BoxFuture<'a, Result<Option<RawDocumentBuf>>> {
    Box::pin(async move {
        let command = command?;
        let context = command.context(db)?;
        if command.is_plain() {
            let definition = command.definition();
            return Effects::default().find_one_and_update(&context, definition, command.into_spec(), returns).await;
        }
        Ok(write_to_the_end(context, command, returns).await?.into_document())
    })
}
