//! The immutable fields (`#[immutable]`) of a value that replaces a document. The filter of the replacement asks for
//! the values, so that the replacement finds no document with other values.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::Place;
use crate::{
    definition::ModelDefinition,
    error::{Error, Result},
    executor::Context,
    key::Key,
    read::Query,
};

/// The values of the immutable fields, by their stored names. A field without a value is null.
#[derive(Clone, Default)]
pub(super) struct Immutable(Vec<(&'static str, Bson)>);

/// The field of an answer with the name of an immutable field.
const DIFFERING: &str = "_differing";

/// The number of documents that one command compares: each document has a branch of the filter.
const COMPARED: usize = 100;

impl Immutable {
    /// Returns the immutable fields of a document, without the fields that keep the stored value.
    pub(super) fn of(definition: &ModelDefinition, document: &RawDocument, kept: &[&str]) -> Result<Self> {
        let own = definition.immutable().filter(|field| !kept.contains(&field.name));
        let value = |name| match document.get(name).map_err(Error::encode)? {
            Some(value) => Bson::try_from(value).map_err(Error::encode),
            None => Ok(Bson::Null),
        };
        own.map(|field| Ok((field.name, value(field.name)?))).collect::<Result<_>>().map(Immutable)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the condition that the stored values are equal. An expression compares an array as a whole.
    pub(super) fn add_to(&self, filter: &mut Document) {
        if !self.is_empty() {
            filter.insert("$expr", doc! { "$and": self.compare("$eq") });
        }
    }

    /// Returns a field of a projection: the name of the first field with another stored value.
    pub(super) fn differing(&self) -> Option<Document> {
        let names = self.0.iter().map(|(name, _)| name);
        let cases = self.compare("$ne").into_iter().zip(names);
        let branches: Vec<Document> =
            cases.map(|(case, name)| doc! { "case": case, "then": { "$literal": *name } }).collect();
        (!self.is_empty()).then(|| doc! { DIFFERING: { "$switch": { "branches": branches, "default": Bson::Null } } })
    }

    /// Returns the field that an answer names.
    pub(super) fn named_in(&self, answer: &RawDocument) -> Option<&'static str> {
        let found = answer.get_str(DIFFERING).ok()?;
        self.0.iter().map(|(name, _)| *name).find(|name| *name == found)
    }

    fn compare(&self, operator: &str) -> Vec<Document> {
        let pairs = self.0.iter();
        pairs
            .map(|(name, value)| {
                let stored = doc! { "$ifNull": [format!("${name}"), Bson::Null] };
                doc! { operator: [stored, { "$literal": value.clone() }] }
            })
            .collect()
    }
}

/// Returns the errors of the replacements whose stored documents have other values, by their positions.
pub(in crate::operation) async fn refused(
    context: &Context,
    places: &[(usize, &Place)],
) -> Result<Vec<(usize, Error)>> {
    let (context, mut refused) = (&context.newest(), Vec::new());
    for chunk in places.chunks(COMPARED) {
        let Some((_, Place { definition, .. })) = chunk.first() else { continue };
        let others: Vec<Document> = chunk
            .iter()
            .map(|(_, place)| {
                let differs = doc! { "$expr": { "$or": place.immutable.compare("$ne") } };
                doc! { "$and": [place.id.clone(), differs] }
            })
            .collect();
        let found = Query::new(definition.collection, doc! { "$or": others }).all_ids(context).await?;
        let found: HashSet<Key> = found.iter().map(Key::of).collect();
        let is_found = |place: &Place| place.id.get("_id").is_some_and(|id| found.contains(&Key::of(id)));
        for (at, place) in chunk.iter().filter(|(_, place)| is_found(place)) {
            if let error @ Error::ImmutableField { .. } = place.why_not(context).await? {
                refused.push((*at, error));
            }
        }
    }
    Ok(refused)
}
