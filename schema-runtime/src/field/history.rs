//! What can be asked of a history: which entry holds at a time.

use mongodb::bson::{DateTime, Document, doc};
use serde::Serialize;

use super::{Filter, HistoryOfIntervals, OneValue, Path, Record, Token};
use crate::{
    codec,
    definition::{FieldDefinition, HistoryDefinition, of_entry},
};

/// What is asked of a `#[history(.., interval(start, end))]`.
pub trait HistoryOperators: Token {
    /// The documents of which an entry holds at this time: it has begun, and has not ended.
    fn at(self, time: DateTime) -> Filter<Self::Model>
    where
        Self: Token<Model: Record, Access: HistoryOfIntervals, Path: OneValue>,
    {
        let path = Self::Path::NODE.join();
        let Some((start, end)) = history_of::<Self::Model>(&path).and_then(|(field, _)| interval_of(field)) else {
            return Filter::none();
        };
        let begun = doc! { "$lte": time };
        // One that has no end is null or not there.
        Filter::raw(doc! { path: { "$elemMatch": { start: begun.clone(), end: { "$not": begun } } } })
    }
}

impl<F: Token> HistoryOperators for F {}

/// The field of a model with this stored name, if it is a history.
pub(crate) fn history_of<R: Record>(name: &str) -> Option<(&'static FieldDefinition, &'static HistoryDefinition)> {
    let field = R::FIELDS.iter().find(|field| field.name == name)?;
    Some((field, field.history.as_ref()?))
}

/// The stored fields from when and until when an entry of this history holds.
pub(crate) fn interval_of(field: &FieldDefinition) -> Option<(&'static str, &'static str)> {
    let (start, end) = field.history?.interval?;
    Some((of_entry(field, start), of_entry(field, end)))
}

/// From when and until when an entry holds.
pub(crate) fn interval_in(entry: &Document, (start, end): (&str, &str)) -> (Option<DateTime>, Option<DateTime>) {
    let at = |name: &str| entry.get_datetime(name).ok().copied();
    (at(start), at(end))
}

/// The entry of these that holds at a time.
pub fn history_at<'a, C, E>(field: &FieldDefinition, entries: &'a C, time: DateTime) -> Option<&'a E>
where
    &'a C: IntoIterator<Item = &'a E>,
    E: Serialize + 'a,
{
    let names = interval_of(field)?;
    let holds = |entry: &&E| {
        let entry = codec::encode(entry).ok().and_then(|raw| Document::try_from(&*raw).ok());
        let (start, end) = entry.map_or((None, None), |entry| interval_in(&entry, names));
        start.is_some_and(|start| start <= time) && end.is_none_or(|end| end > time)
    };
    entries.into_iter().find(holds)
}
