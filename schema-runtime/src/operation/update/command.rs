//! An update in the server's words, with the bounds of what it writes, and how it is sent.

use mongodb::bson::{Bson, Document, RawDocumentBuf};

use super::Updated;
use crate::{
    definition::ModelDefinition,
    error::{Error, Result, server},
    executor::{Context, Sent},
    field::{Change, Changes, Filter, Operator, Parts},
    model::Model,
    operation::{bound, growth::Growth},
    read::{self, Query},
};

/// An update that is ready to be sent.
pub(crate) struct Command {
    definition: &'static ModelDefinition,
    /// Which documents were asked for.
    filter: Document,
    parts: Parts,
    growths: Vec<Growth>,
    upsert: bool,
    by_id: bool,
}

impl Command {
    pub(super) fn new<M: Model>(filter: Filter<M>, changes: Changes<M>, upsert: bool, by_id: bool) -> Result<Self> {
        let (definition, filter, parts) = (M::DEFINITION, filter.into_document()?, changes.into_parts()?);
        if parts.changes.is_empty() {
            return Err(Error::Update { message: format!("it changes nothing of `{}`", definition.model) });
        }
        let mut growths = Vec::new();
        for change in &parts.changes {
            check(definition, change)?;
            growths.extend(Growth::of(change));
        }
        if let Some(growth) = growths.iter().find(|growth| growth.added > growth.bound) {
            return Err(growth.exceeded(definition, growth.added));
        }
        if upsert && !by_id && !parts.full.is_empty() {
            let message = "an upsert that adds to a bounded array is one of a single document: write `update(id)`";
            return Err(Error::Update { message: message.to_owned() });
        }
        Ok(Command { definition, filter, parts, growths, upsert, by_id })
    }

    pub(super) async fn update_one<M: Model>(self, context: &Context) -> Result<Updated<M::Id>> {
        loop {
            match context.update_one(self.definition.collection, self.sent()).await {
                Err(error) if self.has_no_room(&error) => {}
                Err(error) => return Err(server::write(self.definition, error)),
                Ok(result) if result.matched_count > 0 || result.upserted_id.is_some() => {
                    return Updated::new(self.definition, result);
                }
                Ok(_) if self.growths.is_empty() && self.by_id => return Err(self.not_found()),
                Ok(result) if self.growths.is_empty() => return Updated::new(self.definition, result),
                Ok(_) => {}
            }
            if !self.look_for_room(context).await? {
                return if self.by_id { Err(self.not_found()) } else { Ok(Updated::none()) };
            }
        }
    }

    pub(super) async fn update_many<M: Model>(self, context: &Context) -> Result<Updated<M::Id>> {
        if !self.growths.is_empty()
            && let Some(document) = self.find(context, self.parts.without_room(self.filter.clone())).await?
            && let Some(exceeded) = self.exceeded(&document)
        {
            return Err(exceeded);
        }
        match context.update_many(self.definition.collection, self.sent()).await {
            Ok(result) => Updated::new(self.definition, result),
            Err(error) => Err(server::write(self.definition, error)),
        }
    }

    pub(super) async fn find_one_and_update<M: Model>(self, context: &Context, after: bool) -> Result<Option<M>> {
        loop {
            match context.find_one_and_update(self.definition.collection, self.sent(), after).await {
                Err(error) if self.has_no_room(&error) => {}
                Err(error) => return Err(server::write(self.definition, error)),
                Ok(Some(document)) => return read::decode(self.definition.collection, &document).map(Some),
                Ok(None) if self.growths.is_empty() || self.upsert => return Ok(None),
                Ok(None) => {}
            }
            if !self.look_for_room(context).await? {
                return Ok(None);
            }
        }
    }

    /// The update as the server takes it.
    pub(crate) fn sent(&self) -> Sent {
        let mut update = Document::new();
        for change in &self.parts.changes {
            let value = match change.operator {
                // What is added could itself look like an operator.
                Operator::Push | Operator::AddToSet => Bson::Document(mongodb::bson::doc! { "$each": &change.value }),
                _ => change.value.clone(),
            };
            let fields = update.entry(change.operator.name().to_owned()).or_insert_with(|| Document::new().into());
            if let Bson::Document(fields) = fields {
                fields.insert(change.path.clone(), value);
            }
        }
        Sent {
            filter: self.parts.with_room(self.filter.clone()),
            update,
            array_filters: self.parts.array_filters.clone(),
            upsert: self.upsert,
        }
    }

    /// Whether an upsert met the document, which has no room: it then tries to insert a second one with its `_id`.
    fn has_no_room(&self, error: &mongodb::error::Error) -> bool {
        self.upsert && !self.growths.is_empty() && server::is_duplicate_id(error)
    }

    /// Why nothing matched: an error when a document has no room for what is added, `false` when there is none, `true` when
    /// another writer has made room since.
    async fn look_for_room(&self, context: &Context) -> Result<bool> {
        match self.find(context, self.filter.clone()).await? {
            Some(document) => self.exceeded(&document).map_or(Ok(true), Err),
            None => Ok(self.upsert),
        }
    }

    /// A document, with the arrays that are to grow.
    async fn find(&self, context: &Context, filter: Document) -> Result<Option<RawDocumentBuf>> {
        let mut query = Query { limit: 1, ..Query::new(self.definition.collection, filter) };
        for growth in &self.growths {
            query.projection.insert(growth.field(), 1);
        }
        query.first(context).await
    }

    fn exceeded(&self, document: &RawDocumentBuf) -> Option<Error> {
        self.growths.iter().find_map(|growth| {
            let size = growth.size_in(document);
            (size > growth.bound).then(|| growth.exceeded(self.definition, size))
        })
    }

    fn not_found(&self) -> Error {
        Error::NotFound { model: self.definition.model, collection: self.definition.collection }
    }
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
