//! An update in the server's words, with the bounds of what it writes, and how it is sent.

use std::mem;

use mongodb::bson::{DateTime, Document, doc};

use super::Updated;
use crate::{
    definition::ModelDefinition,
    derived::{
        copies::{Manner, Propagation, Writing},
        rollup::Keeping,
    },
    document::put,
    error::{Error, Result, server},
    executor::{Context, Outcome, Sent},
    field::{Change, Changes, Filter, Operator, Parts},
    model::Model,
    operation::{bound, effects::Effects, growth::Growth, managed},
    read::{self, Query},
};

/// An update that is ready to be sent.
#[derive(Clone)]
pub(super) struct Command {
    definition: &'static ModelDefinition,
    sent: Sent,
    by_id: bool,
    following: Propagation,
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
        following: Propagation,
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
            let message =
                "an upsert that adds to a bounded array is one of a single document: write `update_by_id(id)`";
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
            let Prepared { sent, mut effects } = self.prepare::<M>(context, false).await?;
            let moves = effects.is_move();
            match effects.update_one(context, definition, sent).await? {
                Err(error)
                    if (self.may_be_left_out(&effects) || moves) && upsert && server::is_duplicate_id(&error) => {}
                Err(error) => return Err(server::write(definition, error)),
                Ok(outcome) if outcome.matched > 0 || outcome.upserted_id.is_some() => {
                    effects.finish(context).await?;
                    return Updated::new(definition, outcome);
                }
                Ok(_) => {}
            }
            let missed = effects.has_missed(context).await? || moves && upsert;
            if !self.is_worth_another(context, &effects, upsert).await? && !missed {
                return if by_id { Err(Error::not_found(definition)) } else { Ok(Updated::none()) };
            }
        }
    }

    pub(super) async fn update_many<M: Model>(mut self, context: &Context) -> Result<Updated<M::Id>> {
        let definition = self.definition;
        if let Some(room) = &self.room {
            let full = Filter::<M>::any_of(room.full.iter().cloned().map(Filter::raw));
            let without_room = Filter::raw(room.filter.clone()).and(full).into_document()?;
            room.find(definition, context, without_room).await?;
        }
        let Prepared { mut sent, mut effects } = self.prepare::<M>(context, true).await?;
        let (mut outcome, mut done) = (Outcome::default(), Vec::new());
        let stopped = loop {
            let stopped = match effects.update_many(context, definition, sent).await {
                Ok(more) => {
                    outcome.matched += more.matched;
                    outcome.modified += more.modified;
                    outcome.upserted_id = outcome.upserted_id.or(more.upserted_id);
                    None
                }
                Err(error) => Some(server::write(definition, error)),
            };
            let again = stopped.is_none() && effects.has_left_out(context).await?;
            done.push(effects);
            if !again {
                break stopped;
            }
            let writings: Vec<&Writing> = done.iter().filter_map(|done| done.writing.as_deref()).collect();
            let filter = Writing::left_out(&writings, self.sent.filter.clone());
            let mut rest = Command { sent: Sent { filter, ..self.sent.clone() }, ..self.clone() };
            // What was read is gone, or the connection is: those that are left out stay so.
            let next = match rest.prepare::<M>(context, true).await {
                Ok(next) => next,
                Err(error) => break Some(error),
            };
            if next.effects.writing.is_none() {
                break None;
            }
            (sent, effects) = (next.sent, next.effects);
        };
        // The server may have stopped on its way: what it has done is followed all the same.
        let mut followed = Ok(());
        if stopped.is_none() || !context.in_transaction() {
            for effects in done {
                followed = followed.and(effects.finish(context).await);
            }
        }
        match stopped {
            Some(error) => Err(error),
            None => followed.and_then(|()| Updated::new(definition, outcome)),
        }
    }

    pub(super) async fn find_one_and_update<M: Model>(mut self, context: &Context, after: bool) -> Result<Option<M>> {
        let (definition, upsert) = (self.definition, self.sent.upsert);
        loop {
            let Prepared { sent, mut effects } = self.prepare::<M>(context, false).await?;
            let upserts = sent.upsert;
            let found = effects.find_one_and_update(context, definition, sent, after).await?;
            let found = found.map_err(|error| server::write(definition, error))?;
            if found.is_some() || upserts {
                effects.finish(context).await?;
                return found.map(|document| read::decode(definition.collection, &document)).transpose();
            }
            let missed = effects.has_missed(context).await? || upsert && !upserts;
            if !self.is_worth_another(context, &effects, false).await? && !missed {
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
            return Ok(Prepared { sent, effects: Effects::default() });
        }
        let (mut sent, mut effects) = (self.sent.clone(), Effects::default());
        if const { M::DEFINITION.has_rollups() } {
            effects.keeping =
                Box::pin(Keeping::of_update(context, self.definition, &mut sent, many)).await?.map(Box::new);
        }
        if const { M::DEFINITION.has_copies() } {
            let writing = Writing::of_update(context, self.definition, &mut sent, &self.following, Manner::Alone);
            effects.writing = Box::pin(writing).await?.map(Box::new);
        }
        if sent.upsert && !self.by_id && effects.is_guarded() {
            let message = "an upsert that sets a reference with copies beside it is one of a single document: write `update_by_id(id)`";
            return Err(Error::Update { message: message.to_owned() });
        }
        Ok(Prepared { sent, effects })
    }

    /// Whether the filter may leave out a document that was asked for.
    fn may_be_left_out(&self, effects: &Effects) -> bool {
        self.room.is_some() || effects.is_guarded()
    }

    /// Whether an update that found nothing may find something now; an error when a document has no room for what is added.
    async fn is_worth_another(&self, context: &Context, effects: &Effects, upsert: bool) -> Result<bool> {
        if let Some(room) = &self.room
            && (room.was_made(self.definition, context).await? || upsert)
        {
            return Ok(true);
        }
        Ok(effects.is_guarded() && (upsert || effects.has_moved(context).await?))
    }
}

/// An update that is to be sent, and what follows it.
struct Prepared {
    sent: Sent,
    effects: Effects,
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
        put(&mut update, operator.name(), path, value);
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
