//! An update in the server's words, with the bounds of what it writes, and how it is sent.

use std::mem;

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::Updated;
use crate::{
    copies::{Following, Manner, Writing},
    definition::ModelDefinition,
    error::{Error, Result, server},
    executor::{Context, Outcome, Sent},
    field::{Change, Changes, Filter, Operator, Parts},
    model::Model,
    operation::{bound, growth::Growth, managed},
    read::{self, Query},
    rollup::Keeping,
};

/// An update that is ready to be sent.
#[derive(Clone)]
pub(super) struct Command {
    definition: &'static ModelDefinition,
    sent: Sent,
    by_id: bool,
    following: Following,
    /// `None` when no array with a bound grows.
    room: Option<Room>,
}

/// What is asked when an update finds nothing, because its filter says that arrays have room.
#[derive(Clone)]
struct Room {
    /// Which documents were asked for.
    filter: Document,
    /// What of them have no room.
    full: Vec<Document>,
    growths: Vec<Growth>,
}

impl Command {
    pub(super) fn new<M: Model>(
        filter: Filter<M>,
        changes: Changes<M>,
        upsert: bool,
        by_id: bool,
        following: Following,
    ) -> Result<Self> {
        let (definition, filter, Parts { raw, mut changes, array_filters, full }) =
            (M::DEFINITION, filter.into_document()?, changes.into_parts()?);
        if changes.is_empty() && raw.is_empty() {
            return Err(Error::Update { message: format!("it changes nothing of `{}`", definition.model) });
        }
        let mut growths = Vec::new();
        for change in &changes {
            check(definition, change)?;
            growths.extend(Growth::of(change));
        }
        if let Some(growth) = growths.iter().find(|growth| growth.added > growth.bound) {
            return Err(growth.exceeded(definition, growth.added));
        }
        if upsert && !by_id && !full.is_empty() {
            let message = "an upsert that adds to a bounded array is one of a single document: write `update(id)`";
            return Err(Error::Update { message: message.to_owned() });
        }
        changes.extend(managed::changes::<M>(upsert, DateTime::now()));
        let mut sent = Sent { filter, update: rendered(raw, changes), array_filters, upsert, ..Sent::default() };
        let mut room = None;
        if !growths.is_empty() {
            room = Some(Room { filter: sent.filter.clone(), full: full.clone(), growths });
            let has_room = Filter::<M>::nor(full.into_iter().map(Filter::raw));
            sent.filter = Filter::raw(sent.filter).and(has_room).into_document()?;
        }
        Ok(Command { definition, sent, by_id, following, room })
    }

    pub(super) fn into_sent(self) -> Sent {
        self.sent
    }

    pub(super) async fn update_one<M: Model>(mut self, context: &Context) -> Result<Updated<M::Id>> {
        let (definition, by_id, upsert) = (self.definition, self.by_id, self.sent.upsert);
        loop {
            let Prepared { sent, mut writing, mut keeping } = self.prepare::<M>(context, false).await?;
            let result = match &mut writing {
                None => on(context, &keeping).update_one(definition.collection, sent).await.map(Outcome::from),
                Some(writing) => Box::pin(writing.update_one(context, sent)).await?,
            };
            let moves = keeping.as_ref().is_some_and(Keeping::is_move);
            match result {
                Err(error)
                    if (self.may_be_left_out(&writing) || moves) && upsert && server::is_duplicate_id(&error) => {}
                Err(error) => return Err(server::write(definition, error)),
                Ok(outcome) if outcome.matched > 0 || outcome.upserted_id.is_some() => {
                    if let Some(keeping) = &mut keeping {
                        keeping.note_upserted(outcome.upserted_id.clone());
                    }
                    finish(writing, keeping, context).await?;
                    return Updated::new(definition, outcome);
                }
                Ok(_) => {}
            }
            let missed = has_missed(&keeping, context).await? || moves && upsert;
            if !self.is_worth_another(context, &writing, upsert).await? && !missed {
                return if by_id { Err(Error::not_found(definition)) } else { Ok(Updated::none()) };
            }
        }
    }

    pub(super) async fn update_many<M: Model>(mut self, context: &Context) -> Result<Updated<M::Id>> {
        if let Some(room) = &self.room {
            let full = Filter::<M>::any_of(room.full.iter().cloned().map(Filter::raw));
            let without_room = Filter::raw(room.filter.clone()).and(full).into_document()?;
            room.find(self.definition, context, without_room).await?;
        }
        let failed = |error| server::write(self.definition, error);
        let Prepared { mut sent, writing, mut keeping } = self.prepare::<M>(context, true).await?;
        let Some(mut writing) = writing else {
            let updated = on(context, &keeping).update_many(self.definition.collection, sent).await;
            let outcome = Outcome::from(updated.map_err(failed)?);
            if let Some(keeping) = &mut keeping {
                keeping.note_upserted(outcome.upserted_id.clone());
            }
            finish(None, keeping, context).await?;
            return Updated::new(self.definition, outcome);
        };
        let (mut outcome, mut done, mut kept) = (Outcome::default(), Vec::new(), Vec::new());
        let stopped = loop {
            let more = Box::pin(writing.update_many(context, sent)).await;
            let stopped = match more {
                Ok(more) => {
                    if let Some(keeping) = &mut keeping {
                        keeping.note_upserted(more.upserted_id.clone());
                    }
                    outcome.matched += more.matched;
                    outcome.modified += more.modified;
                    outcome.upserted_id = outcome.upserted_id.or(more.upserted_id);
                    None
                }
                Err(error) => Some(failed(error)),
            };
            let again = stopped.is_none() && Box::pin(writing.has_left_out(context)).await?;
            done.push(writing);
            kept.push(keeping);
            if !again {
                break stopped;
            }
            let filter = Writing::left_out(&done, self.sent.filter.clone());
            let mut rest = Command { sent: Sent { filter, ..self.sent.clone() }, ..self.clone() };
            // What was read is gone, or the connection is: those that are left out stay so.
            let next = match rest.prepare::<M>(context, true).await {
                Ok(next) => next,
                Err(error) => break Some(error),
            };
            let Some(following) = next.writing else { break None };
            (sent, writing, keeping) = (next.sent, following, next.keeping);
        };
        // The server may have stopped on its way: what it has done is followed all the same.
        let mut followed = Ok(());
        if stopped.is_none() || !context.in_transaction() {
            for (writing, keeping) in done.into_iter().zip(kept) {
                followed = followed.and(finish(Some(writing), keeping, context).await);
            }
        }
        match stopped {
            Some(error) => Err(error),
            None => followed.and_then(|()| Updated::new(self.definition, outcome)),
        }
    }

    pub(super) async fn find_one_and_update<M: Model>(mut self, context: &Context, after: bool) -> Result<Option<M>> {
        let (definition, upsert) = (self.definition, self.sent.upsert);
        loop {
            let Prepared { sent, mut writing, mut keeping } = self.prepare::<M>(context, false).await?;
            let (all, upserts) = (Document::new(), sent.upsert);
            let result = match &mut writing {
                None => on(context, &keeping).find_one_and_update(definition.collection, sent, after, all).await,
                Some(writing) => Box::pin(writing.find_one_and_update(context, sent, after, all)).await?,
            };
            let found = result.map_err(|error| server::write(definition, error))?;
            if found.is_some() || upserts {
                if let Some(keeping) = keeping.as_mut().filter(|_| upserts) {
                    Box::pin(keeping.find_upserted(context)).await?;
                }
                finish(writing, keeping, context).await?;
                return found.map(|document| read::decode(definition.collection, &document)).transpose();
            }
            let missed = has_missed(&keeping, context).await? || upsert && !upserts;
            if !self.is_worth_another(context, &writing, false).await? && !missed {
                return Ok(None);
            }
        }
    }

    /// What is sent. A model without copies and rollups is ready; of another, what is put in gets its copies and what is changed
    /// its marks.
    async fn prepare<M: Model>(&mut self, context: &Context, many: bool) -> Result<Prepared> {
        if const { !M::DEFINITION.has_copies() && !M::DEFINITION.has_rollups() } {
            // Kept only where it may be sent again.
            let sent = if self.room.is_some() { self.sent.clone() } else { mem::take(&mut self.sent) };
            return Ok(Prepared { sent, writing: None, keeping: None });
        }
        let mut sent = self.sent.clone();
        let keeping = match const { M::DEFINITION.has_rollups() } {
            true => Box::pin(Keeping::of_update(context, self.definition, &mut sent, many)).await?,
            false => None,
        };
        if const { !M::DEFINITION.has_copies() } {
            return Ok(Prepared { sent, writing: None, keeping });
        }
        let writing =
            Box::pin(Writing::of_update(context, self.definition, &mut sent, &self.following, Manner::Alone)).await?;
        if sent.upsert && !self.by_id && writing.as_ref().is_some_and(Writing::is_guarded) {
            let message =
                "an upsert that sets a reference with copies beside it is one of a single document: write `update(id)`";
            return Err(Error::Update { message: message.to_owned() });
        }
        Ok(Prepared { sent, writing, keeping })
    }

    /// Whether the filter may leave out a document that was asked for.
    fn may_be_left_out(&self, writing: &Option<Writing>) -> bool {
        self.room.is_some() || writing.as_ref().is_some_and(Writing::is_guarded)
    }

    /// Whether an update that found nothing may find something now; an error when a document has no room for what is added.
    async fn is_worth_another(&self, context: &Context, writing: &Option<Writing>, upsert: bool) -> Result<bool> {
        if let Some(room) = &self.room
            && (room.was_made(self.definition, context).await? || upsert)
        {
            return Ok(true);
        }
        match writing {
            Some(writing) if writing.is_guarded() => Ok(upsert || Box::pin(writing.has_moved(context)).await?),
            _ => Ok(false),
        }
    }
}

/// An update that is to be sent, and what follows it.
struct Prepared {
    sent: Sent,
    writing: Option<Writing>,
    keeping: Option<Keeping>,
}

/// Marks are written to a majority.
fn on(context: &Context, keeping: &Option<Keeping>) -> Context {
    if keeping.is_some() { context.majority() } else { context.clone() }
}

/// Both follow, whatever becomes of the other.
async fn finish(writing: Option<Writing>, keeping: Option<Keeping>, context: &Context) -> Result<()> {
    let written = match writing {
        Some(writing) => Box::pin(writing.finish(context)).await,
        None => Ok(()),
    };
    match keeping {
        Some(keeping) => Box::pin(keeping.finish(context)).await.and(written),
        None => written,
    }
}

async fn has_missed(keeping: &Option<Keeping>, context: &Context) -> Result<bool> {
    match keeping {
        Some(keeping) if keeping.is_move() => Box::pin(keeping.has_missed(context)).await,
        _ => Ok(false),
    }
}

impl Room {
    /// Why nothing matched: an error when a document has no room for what is added, `false` when there is none, `true` when
    /// another writer has made room since.
    async fn was_made(&self, definition: &ModelDefinition, context: &Context) -> Result<bool> {
        self.find(definition, context, self.filter.clone()).await
    }

    /// Whether a document matches; an error when it has no room for what is added.
    async fn find(&self, definition: &ModelDefinition, context: &Context, filter: Document) -> Result<bool> {
        let mut query = Query::new(definition.collection, filter);
        for growth in &self.growths {
            query.projection.insert(growth.field(), 1);
        }
        let Some(document) = query.first(context).await? else { return Ok(false) };
        for growth in &self.growths {
            let size = growth.size_in(&document);
            if size > growth.bound {
                return Err(growth.exceeded(definition, size));
            }
        }
        Ok(true)
    }
}

/// Changes in the server's words.
fn rendered(mut update: Document, changes: Vec<Change>) -> Document {
    for Change { operator, path, value, .. } in changes {
        let value = match operator {
            // What is added could itself look like an operator.
            Operator::Push | Operator::AddToSet => doc! { "$each": value }.into(),
            _ => value,
        };
        match update.get_mut(operator.name()) {
            Some(Bson::Document(fields)) => {
                fields.insert(path, value);
            }
            _ => {
                update.insert(operator.name(), doc! { path: value });
            }
        }
    }
    update
}

/// Whether the values of a change hold their bounds.
fn check(definition: &ModelDefinition, change: &Change) -> Result<()> {
    let Some(shape) = change.shape else { return Ok(()) };
    match change.operator {
        Operator::Set | Operator::SetOnInsert | Operator::Min | Operator::Max => {
            bound::check_value(definition, &change.path, shape, &change.value)
        }
        Operator::Push | Operator::AddToSet => bound::check_elements(definition, &change.path, shape, &change.value),
        _ => Ok(()),
    }
}
