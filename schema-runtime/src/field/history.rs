//! Operators of a history: find the entry that holds at a time.

use mongodb::bson::{Bson, DateTime, Document, doc};
use serde::Serialize;

use super::{Filter, HistoryOfIntervals, OneValue, Path, Record, Token, canonical::canonical_item};
use crate::{
    codec,
    definition::{FieldDefinition, HistoryDefinition, of_entry},
};

/// The operators of a `#[history(.., interval(start, end))]`.
pub trait HistoryOperators: Token {
    /// Matches the documents with an entry that holds at the time: the entry has begun, and has not ended.
    fn at(self, time: DateTime) -> Filter<Self::Model>
    where
        Self: Token<Model: Record, Access: HistoryOfIntervals, Path: OneValue>,
    {
        let path = Self::Path::NODE.join();
        let Some((start, end)) = history_of::<Self::Model>(&path).and_then(|(field, _)| interval_of(field)) else {
            return Filter::none();
        };
        let begun = doc! { "$lte": time };
        // The end of an open entry is null or absent.
        Filter::raw(doc! { path: { "$elemMatch": { start: begun.clone(), end: { "$not": begun } } } })
    }
}

impl<F: Token> HistoryOperators for F {}

/// Returns the field of a model with this stored name, if the field is a history.
pub(crate) fn history_of<R: Record>(name: &str) -> Option<(&'static FieldDefinition, &'static HistoryDefinition)> {
    let field = R::FIELDS.iter().find(|field| field.name == name)?;
    Some((field, field.history.as_ref()?))
}

/// Returns the stored fields with the start and the end of an entry of the history.
pub(crate) fn interval_of(field: &FieldDefinition) -> Option<(&'static str, &'static str)> {
    let (start, end) = field.history?.interval?;
    Some((of_entry(field, start), of_entry(field, end)))
}

/// Returns the start and the end of the time at which an entry holds.
pub(crate) fn interval_in(entry: &Document, (start, end): (&str, &str)) -> (Option<DateTime>, Option<DateTime>) {
    let at = |name: &str| entry.get_datetime(name).ok().copied();
    (at(start), at(end))
}

/// Returns the entry that holds at a time.
pub fn history_at<'a, C, E>(field: &FieldDefinition, entries: &'a C, time: DateTime) -> Option<&'a E>
where
    &'a C: IntoIterator<Item = &'a E>,
    E: Serialize + 'a,
{
    let names = interval_of(field)?;
    let holds = |entry: &&E| {
        let entry = codec::encode_value(entry).ok().and_then(|entry| canonical_item(Some(&field.shape), entry).ok());
        let entry = entry.as_ref().and_then(Bson::as_document);
        let (start, end) = entry.map_or((None, None), |entry| interval_in(entry, names));
        start.is_some_and(|start| start <= time) && end.is_none_or(|end| end > time)
    };
    entries.into_iter().find(holds)
}
