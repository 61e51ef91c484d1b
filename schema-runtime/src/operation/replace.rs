//! Putting a value in the place of its document: what is stored keeps the time of its insert, and has the next version.

mod copies;

use mongodb::bson::{Bson, DateTime, Document, RawDocumentBuf, doc};

use serde::Serialize;

use super::{has_id, managed, write::checked};
use crate::{
    codec,
    definition::{FieldDefinition, ModelDefinition},
    error::{Error, Result, server},
    executor::Context,
    model::Model,
    read::Query,
};

pub(super) async fn replace<M: Model>(context: &Context, value: &M) -> Result<()> {
    if const { M::DEFINITION.has_copies() || M::DEFINITION.has_rollups() } {
        return Box::pin(copies::replace(context, value)).await.map(drop);
    }
    let (place, document) = Place::of(value)?;
    let (definition, filter) = (place.definition, place.filter());
    let matched = match definition.managed().created_at {
        None => context.replace_one(definition.collection, filter, document).await,
        Some(created_at) => {
            let pipeline = keeping(created_at, &document)?;
            context.update_with_pipeline(definition.collection, filter, pipeline).await
        }
    };
    match matched.map_err(|error| server::write(definition, error))? {
        0 => Err(place.why_not(context).await?),
        _ => Ok(()),
    }
}

pub(super) async fn save<M: Model>(context: &Context, value: &mut M) -> Result<()> {
    if const { M::DEFINITION.has_copies() || M::DEFINITION.has_rollups() } {
        *value = Box::pin(copies::replace(context, value)).await?;
        return Ok(());
    }
    let (place, document) = Place::of(value)?;
    let definition = place.definition;
    let Some(created_at) = definition.managed().created_at else {
        let matched = context.replace_one(definition.collection, place.filter(), document).await;
        return match matched.map_err(|error| server::write(definition, error))? {
            0 => Err(place.why_not(context).await?),
            _ => managed::set(value, &place.stored()),
        };
    };
    let (pipeline, fields) = (keeping(created_at, &document)?, doc! { "_id": 0, created_at.name: 1 });
    let saved =
        context.find_one_and_update_with_pipeline(definition.collection, place.filter(), pipeline, fields).await;
    match saved.map_err(|error| server::write(definition, error))? {
        None => Err(place.why_not(context).await?),
        Some(kept) => {
            let mut stored = place.stored();
            stored.extend(kept);
            managed::set(value, &stored)
        }
    }
}

/// A replace as one of many writes: which document it is for, and what is put in its place.
pub(super) fn in_bulk<M: Model>(value: &M) -> Result<(Document, Replacement)> {
    let (place, document) = Place::of(value)?;
    if const { M::DEFINITION.has_copies() || M::DEFINITION.has_rollups() } {
        return Ok((place.filter(), Replacement::Update(copies::of_own_fields(place.definition, &document)?)));
    }
    let replacement = match place.definition.managed().created_at {
        None => Replacement::Document(document),
        Some(created_at) => Replacement::Pipeline(keeping(created_at, &document)?),
    };
    Ok((place.filter(), replacement))
}

/// What is put in the place of a document.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Replacement {
    Document(RawDocumentBuf),
    Pipeline(Vec<Document>),
    Update(Document),
}

/// The document in whose place a value is put.
struct Place {
    definition: &'static ModelDefinition,
    /// The filter by its `_id`.
    id: Document,
    /// The version that must be stored, with its field.
    version: Option<(&'static FieldDefinition, i64)>,
    now: DateTime,
}

impl Place {
    /// The place, and what is put there.
    fn of<M: Model>(value: &M) -> Result<(Self, RawDocumentBuf)> {
        let (definition, now) = (M::DEFINITION, DateTime::now());
        let document = managed::timed::<M>(checked(value)?, now)?;
        let version = match definition.managed().version {
            Some(field) => Some((field, managed::version(definition, field, &document)?)),
            None => None,
        };
        let document = match version {
            Some((field, version)) => managed::next_version(definition, field, document, version)?,
            None => document,
        };
        Ok((Place { definition, id: has_id::<M>(value.id()).into_document()?, version, now }, document))
    }

    fn filter(&self) -> Document {
        let mut filter = self.id.clone();
        if let Some((field, version)) = self.version {
            let condition = match version {
                // What the struct reads as the default is not there at all.
                0 if !field.required => doc! { "$in": [0, Bson::Null] }.into(),
                version => Bson::Int64(version),
            };
            filter.insert(field.name, condition);
        }
        filter
    }

    /// What is known to be stored now.
    fn stored(&self) -> Document {
        let mut stored = Document::new();
        if let Some((field, version)) = self.version {
            stored.insert(field.name, version + 1);
        }
        if let Some(field) = self.definition.managed().updated_at {
            stored.insert(field.name, self.now);
        }
        stored
    }

    /// Why no document matched.
    async fn why_not(&self, context: &Context) -> Result<Error> {
        let (model, collection) = (self.definition.model, self.definition.collection);
        let Some((field, expected)) = self.version else { return Ok(Error::not_found(self.definition)) };
        let mut query = Query::new(collection, self.id.clone());
        query.projection = doc! { "_id": 0, field.name: 1 };
        Ok(match query.first(context).await? {
            None => Error::not_found(self.definition),
            Some(document) => {
                let found = codec::integer(&document, field.name);
                Error::VersionConflict { model, collection, expected, found }
            }
        })
    }
}

/// The document, but with the time of its insert that is stored, if any is.
fn keeping(created_at: &FieldDefinition, document: &RawDocumentBuf) -> Result<Vec<Document>> {
    let document = Document::try_from(&**document).map_err(Error::encode)?;
    let kept = doc! { created_at.name: format!("${}", created_at.name) };
    Ok(vec![doc! { "$replaceWith": { "$mergeObjects": [{ "$literal": document }, kept] } }])
}
