//! An update in MongoDB's own syntax, with the bounds of the written values, and the sending of the update.

use std::mem;

use futures_util::future::BoxFuture;
use mongodb::bson::{DateTime, Document, RawDocument, RawDocumentBuf};

use crate::{
    changes::{ChangeSet, Operator, Reach, UpdateSpec},
    definition::ModelDefinition,
    derived::{
        effect::{LeavesOut, Returns, WriteView},
        throttle::Propagation,
    },
    error::{Error, Result},
    executor::{Attempts, Context, Executor, Outcome, Sent},
    field::{self, Change, ChangeList, Parts, refuse_upsert},
    operation::{
        atomic::{atomically, atomically_given, is_atomic, to_the_end},
        effects::Effects,
        managed,
        parts::InParts,
        sharded, together,
    },
    read::Query,
};

use super::{all::send_to_all, bounds, capacity::Capacity, inserted, nulls::Nulls};

/// An update that is ready to be sent.
#[derive(Clone)]
pub(super) struct Command {
    definition: &'static ModelDefinition,
    spec: UpdateSpec,
    following: Propagation,
    /// `None` when no array with a bound grows.
    capacity: Option<Capacity>,
    /// `None` when no change loses to a null.
    nulls: Option<Nulls>,
}

impl Command {
    pub(super) fn new(
        definition: &'static ModelDefinition,
        filter: Result<Document>,
        changes: ChangeList,
        upsert: bool,
        reach: Reach,
        following: Propagation,
    ) -> Result<Self> {
        let Parts { raw, mut changes, array_filters, full, variants, present, nothing } = changes.into_parts()?;
        let mut filter = filter?;
        if upsert {
            refuse_upsert(&variants, &present)?;
            filter = inserted::checked(definition, filter, &changes)?;
        }
        let filter = field::and(field::and(filter, variants), present);
        if changes.is_empty() && raw.is_empty() && nothing.is_empty() {
            return Err(Error::Update { message: format!("it changes nothing of `{}`", definition.model) });
        }
        let growths = bounds::checked(definition, &changes)?;
        if upsert && reach != Reach::ById && !full.is_empty() {
            let message =
                "an upsert that adds to a bounded array must name the one document it is for: write `update_by_id(id)`";
            return Err(Error::Update { message: message.to_owned() });
        }
        let nulls = Nulls::of(&changes);
        let is_new = !definition.has_unversioned() || is_new_version(definition, &raw, &changes, &nothing);
        changes.extend(managed::changes(definition, (is_new, upsert), DateTime::now()));
        let mut touched = Vec::new();
        if definition.fills() {
            touched.extend(raw.paths().map(str::to_owned));
            touched.extend(changes.iter().map(|change| change.path.clone()));
            touched = definition.with_slugs(touched);
        }
        let changes = field::change_set(raw, changes);
        let mut spec = UpdateSpec { filter, changes, array_filters, reach, upsert, touched, ..UpdateSpec::default() };
        let mut capacity = None;
        if !growths.is_empty() {
            capacity = Some(Capacity { filter: spec.filter.clone(), full: full.clone(), growths });
            spec.filter = field::and(spec.filter, field::nor(full));
        }
        Ok(Command { definition, spec, following, capacity, nulls })
    }

    /// Returns the command, where a router can send the command and the shard key stays unchanged.
    pub(super) fn sharded(self) -> Result<Self> {
        sharded::refuse_change(self.definition, &self.spec.changes)?;
        sharded::require(self.definition, &self.spec.filter, self.spec.reach, self.spec.upsert)?;
        Ok(self)
    }

    /// Returns the update, and the updates of all documents that match that go before the update.
    pub(super) fn into_parts(self) -> (UpdateSpec, Vec<Sent>) {
        let nulls = self.nulls.as_ref().map_or(Vec::new(), |nulls| nulls.removing(&self.spec.filter));
        (self.spec, nulls)
    }

    pub(super) fn definition(&self) -> &'static ModelDefinition {
        self.definition
    }

    pub(super) fn spec(&self) -> &UpdateSpec {
        &self.spec
    }

    /// Returns whether an effect sends the update in a transaction, and the context has none.
    pub(super) fn is_gathered(&self, context: &Context) -> bool {
        !context.in_transaction() && together::is_gathered(context, self.definition, &WriteView::of_update(&self.spec))
    }

    /// Returns the most documents that the update writes; `None` where the update may not share a transaction with
    /// updates of more documents.
    pub(super) fn shared_documents(&self) -> Option<usize> {
        let is_plain = self.is_by_id() && !self.spec.upsert && self.nulls.is_none() && !self.following.is_asked_for();
        let write = WriteView::of_update(&self.spec);
        is_plain.then(|| together::shared_documents(self.definition, &write))?
    }

    fn is_by_id(&self) -> bool {
        self.spec.reach == Reach::ById
    }

    /// Keeps the update from losing to a null: the filter leaves the documents with a null out. An update of many
    /// documents, or an upsert, removes the nulls first.
    async fn mind_nulls(&mut self, context: &Context) -> Result<()> {
        let is_by_id = self.is_by_id();
        let Some(nulls) = &mut self.nulls else { return Ok(()) };
        if self.spec.is_many() || self.spec.upsert {
            let many = !is_by_id;
            return nulls.remove(context, self.definition, &self.spec.filter, many).await.map(drop);
        }
        nulls.leave_out(&mut self.spec.filter);
        Ok(())
    }

    /// Tries once to update one document; `None` when another attempt may find a document.
    async fn try_one(&mut self, context: &Context) -> Result<Option<Outcome>> {
        let upsert = self.spec.upsert;
        let Prepared { spec, mut effects } = self.prepare(context).await?;
        match effects.update_one(context, self.definition, spec).await {
            Ok(outcome) if outcome.found() => {
                effects.finish(context).await?;
                return Ok(Some(outcome));
            }
            Ok(_) => {}
            // The filter leaves out the stored document, and the upsert inserts a second document.
            Err(error) if upsert && self.may_leave_out(&effects) && error.is_duplicate_id() => {}
            Err(error) => {
                effects.take_back(context, &error).await;
                return if effects.are_overtaken(context, &error) { Ok(None) } else { Err(error) };
            }
        }
        match self.may_match_now(context, &effects, upsert).await? {
            true => Ok(None),
            false if self.is_by_id() => Err(Error::not_found(self.definition)),
            false => Ok(Some(Outcome::default())),
        }
    }

    /// Tries once to update one document, and returns the document. The inner `None` means that no document matches.
    async fn try_find_one(&mut self, context: &Context, returns: Returns) -> Result<Option<Option<RawDocumentBuf>>> {
        let upsert = self.spec.upsert;
        let Prepared { spec, mut effects } = self.prepare(context).await?;
        let upserts = spec.upsert;
        let found = match effects.find_one_and_update(context, self.definition, spec, returns).await {
            Ok(found) => found,
            Err(error) => {
                effects.take_back(context, &error).await;
                return if effects.are_overtaken(context, &error) { Ok(None) } else { Err(error) };
            }
        };
        if found.is_some() || upserts {
            let finished = effects.finish(context).await;
            finished.map_err(|error| error.with_document(found.as_deref()))?;
            return Ok(Some(found));
        }
        let again = self.may_match_now(context, &effects, upsert && !upserts).await?;
        Ok((!again).then_some(None))
    }

    /// Returns an error when an array has no capacity in a document that matches.
    async fn refuse_full(&self, context: &Context) -> Result<()> {
        let Some(capacity) = &self.capacity else { return Ok(()) };
        let full = capacity.full.iter().cloned().reduce(field::or).unwrap_or_else(field::nothing);
        capacity.find(self.definition, context, field::and(capacity.filter.clone(), full)).await.map(drop)
    }

    /// Prepares the update for sending. The update of a model without copies and rollups is ready. For other models,
    /// new references in the update get copies, and changed values get marks.
    async fn prepare(&mut self, context: &Context) -> Result<Prepared> {
        if !self.definition.fills() {
            // The command keeps the update only where the update may be sent again.
            let spec = if self.capacity.is_some() || self.nulls.is_some() {
                self.spec.clone()
            } else {
                let reach = self.spec.reach;
                mem::replace(&mut self.spec, UpdateSpec { reach, ..UpdateSpec::default() })
            };
            return Ok(Prepared { spec, effects: Effects::default() });
        }
        let mut spec = self.spec.clone();
        let effects = Effects::of_update(context, self.definition, &mut spec, &self.following);
        let effects = Box::pin(effects).await?;
        if spec.upsert && !self.is_by_id() && effects.leaves_out() == LeavesOut::Newer {
            let message = "an upsert that sets a reference with copies beside it must name the one document it is for: write `update_by_id(id)`";
            return Err(Error::Update { message: message.to_owned() });
        }
        Ok(Prepared { spec, effects })
    }

    /// Returns whether the filter may leave out a requested document.
    fn may_leave_out(&self, effects: &Effects) -> bool {
        self.capacity.is_some() || effects.leaves_out() > LeavesOut::Nothing
    }

    /// Returns whether an update that found nothing may find a document now; an error when a document has no capacity
    /// for the added elements.
    async fn may_match_now(&self, context: &Context, effects: &Effects, upsert: bool) -> Result<bool> {
        if let Some(nulls) = &self.nulls
            && nulls.remove_left_out(context, self.definition).await?
        {
            effects.try_again(context).await?;
            return Ok(true);
        }
        if let Some(capacity) = &self.capacity {
            let made = capacity.was_made(self.definition, context).await;
            if made.is_err() {
                effects.try_again(context).await?;
            }
            if made? || upsert {
                effects.try_again(context).await?;
                return Ok(true);
            }
        }
        let again = effects.try_again(context).await?;
        Ok(again || upsert && effects.leaves_out() > LeavesOut::Nothing)
    }
}

/// Returns whether the update gives the document another version. Values that only an insert sets change no stored
/// document.
fn is_new_version(definition: &ModelDefinition, raw: &ChangeSet, changes: &[Change], nothing: &[String]) -> bool {
    let changes = changes.iter().filter(|change| change.operator != Operator::SetOnInsert);
    let paths = changes.map(|change| change.path.as_str()).chain(raw.paths_of_stored());
    managed::is_new_version(definition, paths.chain(nothing.iter().map(String::as_str)))
}

/// An update that is to be sent, and the effects of the update.
struct Prepared {
    spec: UpdateSpec,
    effects: Effects,
}

impl Command {
    /// Returns whether the command must be in a transaction, and the context has none.
    pub(super) fn needs_transaction(&self, context: &Context) -> bool {
        !context.in_transaction() && self.is_atomic()
    }

    pub(super) fn is_atomic(&self) -> bool {
        is_atomic(self.definition, &WriteView::of_update(&self.spec))
    }

    pub(super) async fn one(mut self, context: &Context) -> Result<Outcome> {
        self.mind_nulls(context).await?;
        let mut attempts = Attempts::default();
        loop {
            if let Some(outcome) = self.try_one(context).await? {
                return Ok(outcome);
            }
            attempts.again().await?;
        }
    }

    async fn found(mut self, context: &Context, returns: Returns) -> Result<Option<RawDocumentBuf>> {
        if self.spec.upsert && returns == Returns::Before && self.is_atomic() {
            // Only the returned document tells the effects about the inserted document.
            let before = Query::new(self.definition.collection, self.spec.filter.clone()).first(context).await?;
            Box::pin(self.found(context, Returns::After)).await?;
            return Ok(before);
        }
        self.mind_nulls(context).await?;
        let mut attempts = Attempts::default();
        loop {
            if let Some(found) = self.try_find_one(context, returns).await? {
                return Ok(found);
            }
            attempts.again().await?;
        }
    }

    /// Updates all documents that match, where no document is full.
    async fn all(mut self, context: &Context) -> Result<Outcome> {
        self.mind_nulls(context).await?;
        let Prepared { spec, effects } = self.prepare(context).await?;
        send_to_all(context, self.definition, spec, effects).await
    }

    async fn all_in_transaction(&self, context: &Context, filter: Document) -> Result<Outcome> {
        let write = |context: Context| -> BoxFuture<'_, Result<Outcome>> {
            let mut command = self.clone();
            command.spec.filter = filter.clone();
            Box::pin(async move { command.all(&context).await })
        };
        atomically(context, true, write).await
    }
}

/// Updates one document.
pub(super) fn update_one<'a>(db: &'a dyn Executor, command: Command) -> BoxFuture<'a, Result<Outcome>> {
    atomically_to_the_end(db, Ok(command), |_| None, run_one)
}

fn run_one(command: Command, context: Context) -> BoxFuture<'static, Result<Outcome>> {
    Box::pin(async move { command.one(&context).await })
}

/// Updates one document in a transaction of its own.
pub(super) async fn one_in_transaction(command: Command, context: Context) -> Result<Outcome> {
    atomically(&context, true, |context| run_one(command.clone(), context)).await
}

/// Runs a command to the end, in a transaction of its own where the command must be in a transaction. `document` is the
/// document that the command returns.
fn atomically_to_the_end<'a, T: Send + 'static>(
    db: &'a dyn Executor,
    command: Result<Command>,
    document: fn(&T) -> Option<&RawDocument>,
    run: impl Fn(Command, Context) -> BoxFuture<'static, Result<T>> + Send + Sync + 'static,
) -> BoxFuture<'a, Result<T>> {
    Box::pin(async move {
        let (command, context) = (command?, db.context()?);
        let (definition, must_be) = (command.definition, command.needs_transaction(&context));
        let write = move |context: Context| -> BoxFuture<'static, Result<T>> {
            Box::pin(async move {
                atomically_given(&context, must_be, document, |context| run(command.clone(), context)).await
            })
        };
        to_the_end(context, definition, write).await
    })
}

/// Updates all documents that match.
pub(super) fn update_many<'a>(db: &'a dyn Executor, command: Result<Command>) -> BoxFuture<'a, Result<Outcome>> {
    Box::pin(async move {
        let (command, context) = (command?, db.context()?);
        let definition = command.definition;
        let update = |context: Context| -> BoxFuture<'static, Result<Outcome>> {
            Box::pin(async move { all_atomically(command, context).await })
        };
        to_the_end(context, definition, update).await
    })
}

async fn all_atomically(command: Command, context: Context) -> Result<Outcome> {
    command.refuse_full(&context).await?;
    if !command.needs_transaction(&context) {
        return command.all(&context).await;
    }
    if command.spec.upsert {
        return command.all_in_transaction(&context, command.spec.filter.clone()).await;
    }
    let (mut parts, mut outcome) = (InParts::new(command.definition, &command.spec.filter), Outcome::default());
    while let Some(part) = parts.next(&context).await? {
        outcome.add(command.all_in_transaction(&context, part).await?);
    }
    Ok(outcome)
}

/// Updates one document, and returns the document in the state before or after the update.
pub(super) fn find_one_and_update<'a>(
    db: &'a dyn Executor,
    command: Result<Command>,
    returns: Returns,
) -> BoxFuture<'a, Result<Option<RawDocumentBuf>>> {
    let run = move |command: Command, context: Context| -> BoxFuture<'static, Result<Option<RawDocumentBuf>>> {
        Box::pin(async move { command.found(&context, returns).await })
    };
    atomically_to_the_end(db, command, Option::as_deref, run)
}
