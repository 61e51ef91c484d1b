//! The values that an upsert inserts from the filter, judged as the values that an update sets. Pure.

use mongodb::bson::{Bson, Document};

use crate::{
    changes::Operator,
    codec,
    definition::{FieldDefinition, Kind, ModelDefinition, find_stored},
    document::{equalities, leads_to, not_inserting, put_at},
    error::{Error, Result},
    field::Change,
    operation::growth::Growth,
    refusal,
};

/// Returns a filter of the same documents, without the equalities that no document should be inserted with: the
/// version, since a version begins at 1; a null that serde would leave out; an element, since an element is not the
/// array.
///
/// # Errors
/// [`Error::BoundExceeded`] when an inserted value does not hold its bounds; [`Error::DocumentInvalid`] when an
/// inserted value fails a rule.
pub(super) fn checked(definition: &'static ModelDefinition, filter: Document, changes: &[Change]) -> Result<Document> {
    let version = definition.managed().version.map(|field| field.name);
    let filter =
        not_inserting(filter, &|path, value| Some(path) == version || !is_inserted(definition.fields, path, value));
    let sets = |path: &str| {
        let is_set =
            |change: &&Change| matches!(change.operator, Operator::Set | Operator::SetOnInsert | Operator::Unset);
        changes.iter().filter(is_set).any(|change| leads_to(path, &change.path))
    };
    let mut inserted = Document::new();
    for (path, value) in equalities(&filter) {
        if !sets(path) {
            put_at(&mut inserted, path, value.clone());
        }
    }
    if inserted.is_empty() {
        return Ok(filter);
    }
    let inserted = codec::encode(&inserted).map_err(Error::encode)?;
    refusal::check(definition, &inserted)?;
    let growths = changes.iter().filter_map(Growth::of).map(|growth| (growth.size_in(&inserted), growth));
    let exceeded = growths.filter(|(size, growth)| *size > growth.bound).map(|(size, growth)| growth.exceeded(size));
    refusal::refuse(definition, exceeded.collect())?;
    Ok(filter)
}

/// Returns whether a struct would hold the value at a path, if the value were inserted there.
fn is_inserted(fields: &'static [FieldDefinition], path: &str, value: &Bson) -> bool {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let Some(field) = find_stored(fields, name) else { return true };
    match (field.shape.kind, rest) {
        (Kind::Array { .. }, Some(_)) => false,
        (Kind::Array { .. }, None) if !matches!(value, Bson::Array(_) | Bson::Null) => false,
        (Kind::Document { fields, .. }, Some(rest)) => is_inserted(fields, rest, value),
        (_, Some(_)) => true,
        (_, None) => !(field.skippable && field.shape.nullable && *value == Bson::Null),
    }
}
