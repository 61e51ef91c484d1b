//! An update in the server's words, with the bounds of what it writes, and how it is sent.

use std::mem;

use mongodb::bson::{Bson, DateTime, Document, RawDocumentBuf, doc};

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
        let (definition, filter, Parts { mut changes, array_filters, full }) =
            (M::DEFINITION, filter.into_document()?, changes.into_parts()?);
        if changes.is_empty() {
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
        let room = (!growths.is_empty()).then(|| Room { filter: filter.clone(), full: full.clone(), growths });
        let filter = Filter::<M>::raw(filter).and(Filter::nor(full.into_iter().map(Filter::raw))).into_document()?;
        Ok(Command { definition, sent: Sent { filter, update: rendered(changes), array_filters, upsert }, by_id, room })
    }

    pub(super) async fn update_one<M: Model>(mut self, context: &Context) -> Result<Updated<M::Id>> {
        loop {
            let sent = self.next();
            match (context.update_one(self.definition.collection, sent).await, &self.room) {
                (Err(error), Some(_)) if self.sent.upsert && server::is_duplicate_id(&error) => {}
                (Err(error), _) => return Err(server::write(self.definition, error)),
                (Ok(result), _) if result.matched_count > 0 || result.upserted_id.is_some() => {
                    return Updated::new(self.definition, result);
                }
                (Ok(_), None) if self.by_id => return Err(self.not_found()),
                (Ok(result), None) => return Updated::new(self.definition, result),
                (Ok(_), Some(_)) => {}
            }
            if !self.look_for_room(context).await? {
                return if self.by_id { Err(self.not_found()) } else { Ok(Updated::none()) };
            }
        }
    }

    pub(super) async fn update_many<M: Model>(self, context: &Context) -> Result<Updated<M::Id>> {
        if let Some(room) = &self.room {
            let full = Filter::<M>::any_of(room.full.iter().cloned().map(Filter::raw));
            let without_room = Filter::raw(room.filter.clone()).and(full).into_document()?;
            if let Some(document) = self.find(context, without_room, room).await?
                && let Some(exceeded) = self.exceeded(&document, room)
            {
                return Err(exceeded);
            }
        }
        match context.update_many(self.definition.collection, self.sent).await {
            Ok(result) => Updated::new(self.definition, result),
            Err(error) => Err(server::write(self.definition, error)),
        }
    }

    pub(super) async fn find_one_and_update<M: Model>(mut self, context: &Context, after: bool) -> Result<Option<M>> {
        loop {
            let sent = self.next();
            match (context.find_one_and_update(self.definition.collection, sent, after).await, &self.room) {
                (Err(error), _) => return Err(server::write(self.definition, error)),
                (Ok(Some(document)), _) => return read::decode(self.definition.collection, &document).map(Some),
                (Ok(None), None) => return Ok(None),
                (Ok(None), Some(_)) => {}
            }
            if !self.look_for_room(context).await? {
                return Ok(None);
            }
        }
    }

    /// The update as the server takes it; kept for another try only where there may be one.
    fn next(&mut self) -> Sent {
        if self.room.is_some() { self.sent.clone() } else { mem::take(&mut self.sent) }
    }

    /// Why nothing matched: an error when a document has no room for what is added, `false` when there is none, `true` when
    /// another writer has made room since.
    async fn look_for_room(&self, context: &Context) -> Result<bool> {
        let Some(room) = &self.room else { return Ok(false) };
        match self.find(context, room.filter.clone(), room).await? {
            Some(document) => self.exceeded(&document, room).map_or(Ok(true), Err),
            None => Ok(self.sent.upsert),
        }
    }

    /// A document, with the arrays that are to grow.
    async fn find(&self, context: &Context, filter: Document, room: &Room) -> Result<Option<RawDocumentBuf>> {
        let mut query = Query { limit: 1, ..Query::new(self.definition.collection, filter) };
        for growth in &room.growths {
            query.projection.insert(growth.field(), 1);
        }
        query.first(context).await
    }

    fn exceeded(&self, document: &RawDocumentBuf, room: &Room) -> Option<Error> {
        room.growths.iter().find_map(|growth| {
            let size = growth.size_in(document);
            (size > growth.bound).then(|| growth.exceeded(self.definition, size))
        })
    }

    fn not_found(&self) -> Error {
        Error::NotFound { model: self.definition.model, collection: self.definition.collection }
    }
}

/// Changes in the server's words.
fn rendered(changes: Vec<Change>) -> Document {
    let mut update = Document::new();
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
