//! The replacement of the document of a value. The stored document keeps the time of the insert, and gets the next
//! version.

mod found;
mod immutable;
mod replacement;

pub use found::FindOneAndReplace;
use immutable::Immutable;
pub(super) use immutable::refused;
pub(super) use replacement::stored_names;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, RawDocumentBuf, doc};

use super::{atomic::to_the_end, hidden, managed, sharded, write::checked};
use crate::{
    changes::{ChangeSet, Operator},
    codec,
    definition::{FieldDefinition, ModelDefinition},
    error::{Error, Result, server},
    executor::{Context, Executor, UpdateRequest},
    field::Field,
    model::{Model, without_hidden},
    read::{self, Query},
};

/// Replaces a stored document by an encoded value.
pub(super) fn replace(db: &dyn Executor, put: Result<Put>) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        let (context, Put { place, document }) = (db.context()?, put?);
        let (definition, filter) = (place.definition, place.filter());
        if definition.derives() {
            return replace_derived(context, place, document).await.map(drop);
        }
        let matched = match preserving(&place, &document)? {
            None => context.along().replace_one(definition.collection, filter, document).await,
            Some(pipeline) => {
                context.along().update_with_pipeline(definition.collection, filter, pipeline, false).await
            }
        };
        match matched.map_err(|error| server::write(definition, error))? {
            0 => Err(place.why_not(&context).await?),
            _ => Ok(()),
        }
    })
}

/// Replaces the document of a value, and sets the fields of the value that are stored differently.
pub(super) async fn save<M: Model>(db: &dyn Executor, value: &mut M) -> Result<()> {
    let put = Put::of(value);
    if const { M::DEFINITION.derives() || M::DEFINITION.has_unversioned() } {
        let stored = read::decode(M::DEFINITION.collection, &replaced(db, put).await?)?;
        managed::set_whole(value, stored);
        return Ok(());
    }
    managed::set(value, &saved(db, put).await?)
}

/// Replaces the document of a value, and returns the stored document. The model has copies, rollups or `#[unversioned]`
/// fields.
fn replaced(db: &dyn Executor, put: Result<Put>) -> BoxFuture<'_, Result<RawDocumentBuf>> {
    Box::pin(async move {
        let (context, Put { place, document }) = (db.context()?, put?);
        let definition = place.definition;
        let pipeline = if definition.derives() { None } else { preserving(&place, &document)? };
        let Some(pipeline) = pipeline else { return replace_derived(context, place, document).await };
        let request = UpdateRequest { filter: place.filter(), pipeline, ..UpdateRequest::default() };
        let shown = without_hidden(definition.fields);
        let saved = context.along().find_one_and_update(definition.collection, request, true, shown).await;
        match saved.map_err(|error| server::write(definition, error))? {
            None => Err(place.why_not(&context).await?),
            Some(stored) => Ok(stored),
        }
    })
}

fn replace_derived<'a>(
    context: Context,
    place: Place,
    document: RawDocumentBuf,
) -> BoxFuture<'a, Result<RawDocumentBuf>> {
    let definition = place.definition;
    to_the_end(context.of_effects(), definition, move |context| {
        Box::pin(async move { replacement::replace(&context, &place, &document).await })
    })
}

/// Replaces the document of a value, and returns the fields that are stored differently. The model has no copies,
/// rollups or `#[unversioned]` fields.
fn saved(db: &dyn Executor, put: Result<Put>) -> BoxFuture<'_, Result<Document>> {
    Box::pin(async move {
        let (context, Put { place, document }) = (db.context()?, put?);
        let (definition, filter, mut stored) = (place.definition, place.filter(), place.stored());
        let (created_at, pipeline) = match (definition.managed().created_at, preserving(&place, &document)?) {
            (Some(created_at), Some(pipeline)) => (created_at, pipeline),
            (_, pipeline) => {
                let collection = definition.collection;
                let matched = match pipeline {
                    None => context.along().replace_one(collection, filter, document).await,
                    Some(pipeline) => context.along().update_with_pipeline(collection, filter, pipeline, false).await,
                };
                return match matched.map_err(|error| server::write(definition, error))? {
                    0 => Err(place.why_not(&context).await?),
                    _ => Ok(stored),
                };
            }
        };
        let request = UpdateRequest { filter, pipeline, ..UpdateRequest::default() };
        let fields = doc! { "_id": 0, created_at.name: 1 };
        let saved = context.along().find_one_and_update(definition.collection, request, true, fields).await;
        match saved.map_err(|error| server::write(definition, error))? {
            None => Err(place.why_not(&context).await?),
            Some(preserved) => {
                stored.extend(Document::try_from(&*preserved).map_err(Error::encode)?);
                Ok(stored)
            }
        }
    })
}

/// Returns a replace as a write of a bulk: the filter of the document, and the replacement.
pub(super) fn in_bulk(put: Result<Put>) -> Result<(Place, Replacement)> {
    let Put { place, document } = put?;
    let replacement = match place.definition.derives() {
        true => Replacement::Update(replacement::of_own_fields(&place, &document)?),
        false => match preserving(&place, &document)? {
            None => Replacement::Document(document),
            Some(pipeline) => Replacement::Pipeline(pipeline),
        },
    };
    Ok((place, replacement))
}

/// Returns a replace as a write of a bulk that inserts the value if no document exists.
pub(super) fn in_bulk_or_insert(put: Result<Put>) -> Result<(Place, Replacement)> {
    let put = put?;
    let definition = put.place.definition;
    if definition.managed().version.is_some() {
        let model = definition.model;
        let message =
            format!("`{model}` has a `#[version]`: write the value by `upsert` or `upsert_many`, not in a bulk");
        return Err(Error::Update { message });
    }
    if !put.place.immutable.is_empty() {
        let model = definition.model;
        let message = format!(
            "`{model}` has an `#[immutable]` field: write the value by `upsert` or `upsert_many`, not in a bulk"
        );
        return Err(Error::Update { message });
    }
    let leaves_empty =
        |field: &FieldDefinition| field.slug.is_some() && put.document.get_str(field.name).is_ok_and(str::is_empty);
    if definition.fields.iter().any(leaves_empty) {
        let model = definition.model;
        let message =
            format!("this `{model}` has no slug yet: write the value by `upsert` or `upsert_many`, not in a bulk");
        return Err(Error::Update { message });
    }
    if let Some(field) = put.place.kept.first() {
        return Err(Error::HiddenNotLoaded { model: definition.model, field });
    }
    let moves = |field: &FieldDefinition| field.slug.is_some_and(|slug| slug.follow || slug.kept.is_some());
    if definition.fields.iter().any(moves) {
        let model = definition.model;
        let message = format!(
            "`{model}` has a slug that follows or that is kept: write the value by `upsert` or `upsert_many`, not in a bulk"
        );
        return Err(Error::Update { message });
    }
    let created_at = definition.managed().created_at.map(|field| (field.name, put.place.now));
    sharded::refuse_unchecked_upsert(definition)?;
    let (place, mut replacement) = in_bulk(Ok(put))?;
    if let (Replacement::Update(changes), Some((name, now))) = (&mut replacement, created_at) {
        changes.put(Operator::SetOnInsert, name, now);
    }
    Ok((place, replacement))
}

/// The replacement of a document.
pub(super) enum Replacement {
    Document(RawDocumentBuf),
    Pipeline(Vec<Document>),
    Update(ChangeSet),
}

/// The document that a value replaces.
#[derive(Clone)]
pub(super) struct Place {
    definition: &'static ModelDefinition,
    /// The filter by the `_id` and the shard key.
    id: Document,
    /// The version that must be stored, with its field.
    version: Option<(&'static FieldDefinition, i64)>,
    now: DateTime,
    /// True when the document must have the time of the insert, false when the document must lack the time; `None`
    /// without a condition.
    has_created_at: Option<bool>,
    /// The stored names of the hidden fields that keep the stored value: the fields that were not loaded.
    kept: Vec<&'static str>,
    /// The values that must be stored.
    immutable: Immutable,
}

/// A value that is to replace a stored document.
pub(super) struct Put {
    place: Place,
    document: RawDocumentBuf,
}

impl Put {
    pub(super) fn of<M: Model>(value: &M) -> Result<Self> {
        Put::new(M::DEFINITION, value.id().to_bson(), checked(value))
    }

    pub(super) fn new(
        definition: &'static ModelDefinition,
        id: Result<Bson>,
        document: Result<RawDocumentBuf>,
    ) -> Result<Self> {
        let (managed, now) = (definition.managed(), DateTime::now());
        let mut document = managed::timed(definition, document?, now)?;
        let id = sharded::filter_of(definition, id?, &document)?;
        let mut version = None;
        if let Some(field) = managed.version {
            let held = managed::version(definition, field, &document)?;
            document = managed::next_version(definition, field, document, held)?;
            version = Some((field, held));
        }
        let kept = hidden::unloaded(definition, &document);
        let immutable = Immutable::of(definition, &document, &kept)?;
        Ok(Put { place: Place { definition, id, version, now, has_created_at: None, kept, immutable }, document })
    }
}

impl Place {
    pub(super) fn filter(&self) -> Document {
        let mut filter = self.id.clone();
        self.immutable.add_to(&mut filter);
        if let Some((field, version)) = self.version {
            let condition = match version {
                // The struct reads an absent version as the default.
                0 if !field.required => doc! { "$in": [0, Bson::Null] }.into(),
                version => Bson::Int64(version),
            };
            filter.insert(field.name, condition);
        }
        if let (Some(has), Some(field)) = (self.has_created_at, self.definition.managed().created_at) {
            filter.insert(field.name, if has { doc! { "$ne": Bson::Null }.into() } else { Bson::Null });
        }
        filter
    }

    /// Returns the managed fields that are known to be stored now.
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

    /// Returns whether the value has immutable fields.
    pub(super) fn is_guarded(&self) -> bool {
        !self.immutable.is_empty()
    }

    /// Returns the reason why no document matched.
    async fn why_not(&self, context: &Context) -> Result<Error> {
        let (model, collection) = (self.definition.model, self.definition.collection);
        let mut projection = self.immutable.differing().unwrap_or_default();
        projection.extend(self.version.map(|(field, _)| (field.name.to_owned(), Bson::Int32(1))));
        if projection.is_empty() {
            return Ok(Error::not_found(self.definition));
        }
        projection.insert("_id", 0);
        let query = Query { projection, ..Query::new(collection, self.id.clone()) };
        let Some(document) = query.first(&context.newest()).await? else {
            return Ok(Error::not_found(self.definition));
        };
        let found = self.version.map(|(field, expected)| (expected, codec::integer(&document, field.name)));
        Ok(match (found, self.immutable.named_in(&document)) {
            (Some((expected, found)), _) if found.unwrap_or(0) != expected => {
                Error::VersionConflict { model, collection, expected, found }
            }
            (_, Some(field)) => Error::ImmutableField { model, field },
            (Some((expected, found)), None) => Error::VersionConflict { model, collection, expected, found },
            (None, None) => Error::not_found(self.definition),
        })
    }
}

/// Returns the pipeline that stores the document with the stored time of the insert, with the stored values of
/// `#[unversioned]` fields and of hidden fields that were not loaded. `None` where the document is stored unchanged.
fn preserving(place: &Place, document: &RawDocumentBuf) -> Result<Option<Vec<Document>>> {
    let definition = place.definition;
    let created_at = definition.managed().created_at;
    if created_at.is_none() && !definition.has_unversioned() && place.kept.is_empty() {
        return Ok(None);
    }
    let mut document = Document::try_from(&**document).map_err(Error::encode)?;
    let preserved = take_preserved(place, &mut document);
    Ok(Some(vec![doc! { "$replaceWith": { "$mergeObjects": [{ "$literal": document }, preserved] } }]))
}

/// Takes the fields of which the stored document keeps the values out of a replacement, and returns the fields as
/// expressions over the stored document. The stored time of the insert wins over the time of the replacement.
fn take_preserved(place: &Place, document: &mut Document) -> Document {
    let (definition, mut preserved) = (place.definition, Document::new());
    if let Some(FieldDefinition { name, .. }) = definition.managed().created_at {
        let now = document.get(name).cloned().unwrap_or(Bson::Null);
        preserved.insert(*name, doc! { "$ifNull": [format!("${name}"), { "$literal": now }] });
    }
    for name in definition.unversioned().map(|field| field.name).chain(place.kept.iter().copied()) {
        // A stored document without the field stays without the field.
        document.remove(name);
        preserved.insert(name, format!("${name}"));
    }
    preserved
}
