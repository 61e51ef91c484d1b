//! An update in the server's words, with the bounds of what it writes, and how it is sent.

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::Updated;
use crate::{
    definition::ModelDefinition,
    error::{Error, Result, server},
    executor::{Context, Sent},
    field::{Change, Changes, Filter, Operator, Parts},
    model::Model,
    operation::{bound, growth::Growth, managed},
    read::{self, Query},
};

/// An update that is ready to be sent.
pub(super) struct Command {
    definition: &'static ModelDefinition,
    sent: Sent,
    by_id: bool,
    /// `None` when no array with a bound grows.
    room: Option<Room>,
}

/// What is asked when an update finds nothing, because its filter says that arrays have room.
struct Room {
    /// Which documents were asked for.
    filter: Document,
    /// What of them have no room.
    full: Vec<Document>,
    growths: Vec<Growth>,
}

impl Command {
    pub(super) fn new<M: Model>(filter: Filter<M>, changes: Changes<M>, upsert: bool, by_id: bool) -> Result<Self> {
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
        let mut sent = Sent { filter, update: rendered(raw, changes), array_filters, upsert };
        let mut room = None;
        if !growths.is_empty() {
            room = Some(Room { filter: sent.filter.clone(), full: full.clone(), growths });
            let has_room = Filter::<M>::nor(full.into_iter().map(Filter::raw));
            sent.filter = Filter::raw(sent.filter).and(has_room).into_document()?;
        }
        Ok(Command { definition, sent, by_id, room })
    }

    pub(super) fn into_sent(self) -> Sent {
        self.sent
    }

    pub(super) async fn update_one<M: Model>(self, context: &Context) -> Result<Updated<M::Id>> {
        let Command { definition, mut sent, by_id, room } = self;
        loop {
            let (upsert, again) = (sent.upsert, room.as_ref().map(|_| sent.clone()));
            match (context.update_one(definition.collection, sent).await, &room) {
                (Err(error), Some(_)) if upsert && server::is_duplicate_id(&error) => {}
                (Err(error), _) => return Err(server::write(definition, error)),
                (Ok(result), _) if result.matched_count > 0 || result.upserted_id.is_some() => {
                    return Updated::new(definition, result);
                }
                (Ok(_), _) => {}
            }
            match (&room, again) {
                (Some(room), Some(again)) if room.was_made(definition, context).await? || upsert => sent = again,
                _ if by_id => return Err(Error::not_found(definition)),
                _ => return Ok(Updated::none()),
            }
        }
    }

    pub(super) async fn update_many<M: Model>(self, context: &Context) -> Result<Updated<M::Id>> {
        if let Some(room) = &self.room {
            let full = Filter::<M>::any_of(room.full.iter().cloned().map(Filter::raw));
            let without_room = Filter::raw(room.filter.clone()).and(full).into_document()?;
            room.find(self.definition, context, without_room).await?;
        }
        match context.update_many(self.definition.collection, self.sent).await {
            Ok(result) => Updated::new(self.definition, result),
            Err(error) => Err(server::write(self.definition, error)),
        }
    }

    pub(super) async fn find_one_and_update<M: Model>(self, context: &Context, after: bool) -> Result<Option<M>> {
        let Command { definition, mut sent, room, .. } = self;
        loop {
            let again = room.as_ref().map(|_| sent.clone());
            match context.find_one_and_update(definition.collection, sent, after).await {
                Err(error) => return Err(server::write(definition, error)),
                Ok(Some(document)) => return read::decode(definition.collection, &document).map(Some),
                Ok(None) => {}
            }
            match (&room, again) {
                (Some(room), Some(again)) if room.was_made(definition, context).await? => sent = again,
                _ => return Ok(None),
            }
        }
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
