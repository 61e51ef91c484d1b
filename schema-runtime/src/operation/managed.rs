//! The fields that this crate sets: `#[version]`, `#[created_at]`, `#[updated_at]`. All times come from the clock of
//! the client, read once per operation: an insert has no clock of the server, and with two clocks a document could be
//! updated before the insert.

use mongodb::bson::{Bson, DateTime, Document, RawDocument, RawDocumentBuf};
use serde::de::DeserializeOwned;

use super::hidden;
use crate::{
    changes::{IfAbsent, Operator},
    codec::{self, Fixed},
    definition::{FieldDefinition, ModelDefinition, hold_forms},
    error::{Error, Result},
    field::{Change, Decodes, Field, decode_by_function, readable_fields},
    model::{FieldDecodeError, Model},
};

/// Returns the document of a value that is inserted now.
///
/// # Errors
/// [`Error::HiddenNotLoaded`] without the value of a hidden field.
pub(super) fn insertable(
    definition: &ModelDefinition,
    document: RawDocumentBuf,
    now: DateTime,
) -> Result<RawDocumentBuf> {
    hidden::loaded(definition, timed(definition, document, now)?)
}

/// Sets the times of a document that is inserted now: created and updated now.
pub(super) fn timed(definition: &ModelDefinition, document: RawDocumentBuf, now: DateTime) -> Result<RawDocumentBuf> {
    timestamps(definition).try_fold(document, |document, field| written(definition, field, document, Fixed::Date(now)))
}

/// Returns the version that a document holds.
pub(super) fn version(definition: &ModelDefinition, field: &FieldDefinition, document: &RawDocument) -> Result<i64> {
    codec::integer(document, field.name).ok_or_else(|| not_so_written(definition, field))
}

/// Returns the document with the version after `version`.
pub(super) fn next_version(
    definition: &ModelDefinition,
    field: &FieldDefinition,
    document: RawDocumentBuf,
    version: i64,
) -> Result<RawDocumentBuf> {
    let next = Fixed::Integer(version.checked_add(1).ok_or_else(|| not_so_written(definition, field))?);
    written(definition, field, document, next)
}

/// Returns the times of a document that was inserted now.
pub(super) fn times(definition: &ModelDefinition, now: DateTime) -> Document {
    timestamps(definition).map(|field| (field.name.to_owned(), Bson::DateTime(now))).collect()
}

/// The version of a document after an update.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Next,
    Unchanged,
}

/// Returns the version of a document after an update of these paths: unchanged where all paths are in `#[unversioned]`
/// fields.
pub(super) fn version_of_update<'p>(definition: &ModelDefinition, paths: impl Iterator<Item = &'p str>) -> Version {
    let is_left_out = |path: &str| {
        let name = path.split('.').next().unwrap_or(path);
        definition.unversioned().any(|field| field.name == name)
    };
    let mut paths = paths.peekable();
    let is_next = paths.peek().is_none() || paths.any(|path| !is_left_out(path));
    if is_next { Version::Next } else { Version::Unchanged }
}

/// Returns the changes that every update has in addition to its own changes. An update that makes no new version begins
/// the version of an inserted document.
pub(super) fn changes(
    definition: &ModelDefinition,
    version: Version,
    if_absent: IfAbsent,
    now: DateTime,
) -> impl Iterator<Item = Change> {
    let managed = definition.managed();
    let change = |field: &FieldDefinition, operator, value: Bson| {
        let path = field.name.to_owned();
        Change { operator, path, value, shape: None, cap: None, position: None, leaves_none_out: false }
    };
    let upsert = if_absent == IfAbsent::Insert;
    let counts = if version == Version::Next { Operator::Inc } else { Operator::SetOnInsert };
    let counted = managed.version.filter(|_| version == Version::Next || upsert);
    let version = counted.map(|field| change(field, counts, Bson::Int32(1)));
    let updated_at = managed.updated_at.map(|field| change(field, Operator::Set, now.into()));
    let created_at =
        managed.created_at.filter(|_| upsert).map(|field| change(field, Operator::SetOnInsert, now.into()));
    [version, updated_at, created_at].into_iter().flatten()
}

/// Returns the managed fields of the document that an upsert inserts, for an update that leaves each stored document
/// unchanged.
pub(super) fn changes_of_insert(
    definition: &ModelDefinition,
    if_absent: IfAbsent,
    now: DateTime,
) -> impl Iterator<Item = Change> {
    let changes = changes(definition, Version::Unchanged, if_absent, now);
    let is_inserted = if_absent == IfAbsent::Insert;
    changes.filter(move |_| is_inserted).map(|change| Change { operator: Operator::SetOnInsert, ..change })
}

/// Sets a field of a struct to the stored value, if the stored document has the field.
///
/// # Errors
/// An error when the type does not take the stored value.
#[doc(hidden)]
pub fn set_managed<T: DeserializeOwned>(
    field: &mut T,
    name: &'static str,
    stored: &Document,
) -> Result<(), FieldDecodeError> {
    if let Some(value) = stored.get(name) {
        *field = codec::decode_value(value).map_err(|message| FieldDecodeError { field: name, message })?;
    }
    Ok(())
}

/// Sets a field that serde reads by a function to the stored value, if the stored document has the field.
///
/// # Errors
/// An error when the function does not take the stored value.
#[doc(hidden)]
pub fn set_managed_by<R: Decodes<INDEX>, const INDEX: usize>(
    field: &mut R::Value,
    name: &'static str,
    stored: &Document,
) -> Result<(), FieldDecodeError> {
    if let Some(value) = stored.get(name) {
        *field = decode_by_function::<R, INDEX>(value).map_err(|message| FieldDecodeError { field: name, message })?;
    }
    Ok(())
}

/// Sets the managed fields of a struct to the stored values.
pub(super) fn set<M: Model>(value: &mut M, stored: &Document) -> Result<()> {
    let set = match const { hold_forms(M::DEFINITION.fields) } {
        false => value.set_managed(stored).map_err(|error| (error.field.to_owned(), error.message)),
        true => match readable_fields(M::DEFINITION.fields, None, stored.clone()) {
            Ok(readable) => value.set_managed(&readable).map_err(|error| (error.field.to_owned(), error.message)),
            Err(misfit) => {
                let (path, reason) = misfit.into_parts();
                Err((path, Error::message_of_form(reason)))
            }
        },
    };
    let Err((path, message)) = set else { return Ok(()) };
    let (collection, model) = (M::DEFINITION.collection.to_owned(), M::DEFINITION.model);
    Err(Error::Decode { collection, model, id: Box::new(value.id().to_bson()?), path, message })
}

/// Sets a struct to the stored value. Fields that serde skips stay as before.
pub(super) fn set_whole<M: Model>(value: &mut M, mut stored: M) {
    value.swap_skipped(&mut stored);
    *value = stored;
}

fn timestamps(definition: &ModelDefinition) -> impl Iterator<Item = &'static FieldDefinition> + use<> {
    let managed = definition.managed();
    [managed.created_at, managed.updated_at].into_iter().flatten()
}

fn written(
    definition: &ModelDefinition,
    field: &FieldDefinition,
    document: RawDocumentBuf,
    value: Fixed,
) -> Result<RawDocumentBuf> {
    codec::overwrite(document, field.name, value).ok_or_else(|| not_so_written(definition, field))
}

fn not_so_written(definition: &ModelDefinition, field: &FieldDefinition) -> Error {
    let message = format!(
        "`{}` of `{}` is not serialized as the field's type, or is at the largest value",
        field.name, definition.model
    );
    Error::Update { message }
}
