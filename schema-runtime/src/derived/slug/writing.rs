//! One write of a model with slugs. Reaches the server.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document, doc};

use super::make::{others, random, slug_of};
use crate::{
    definition::{FieldDefinition, Kind, ModelDefinition},
    error::{Error, Result},
    executor::Context,
    read::Query,
};

/// How many slugs are asked for together.
const CHUNK: usize = 1_000;

#[derive(Debug)]
pub(super) struct SlugWriting {
    pub(super) definition: &'static ModelDefinition,
}

/// A field with `#[slug(..)]`, with the stored field that it is made of and the most characters it has.
struct SlugField {
    name: &'static str,
    from: &'static str,
    max_len: usize,
}

/// Those of a model.
fn slugs(definition: &'static ModelDefinition) -> impl Iterator<Item = SlugField> {
    definition.fields.iter().filter_map(|field| {
        let from = definition.field(field.slug?)?.name;
        Some(SlugField { name: field.name, from, max_len: max_len(field) })
    })
}

fn max_len(field: &FieldDefinition) -> usize {
    match field.shape.kind {
        Kind::String { max_len: Some(max_len) } => usize::try_from(max_len).unwrap_or(usize::MAX),
        _ => usize::MAX,
    }
}

/// Whether this document, which leaves a slug empty, was refused for one that another has got meanwhile.
pub(super) fn is_taken(definition: &'static ModelDefinition, document: &Document, error: &Error) -> bool {
    // The index may have a name that somebody else gave it.
    let Error::DuplicateKey { key, .. } = error.cause() else { return false };
    slugs(definition).any(|slug| key.starts_with(&format!("{{ {}: ", slug.name)) && slug.is_empty_in(document))
}

/// Whether this is a slug that a value leaves empty: the one that is stored stays.
pub(super) fn leaves_empty(definition: &ModelDefinition, name: &str, value: Option<&Bson>) -> bool {
    let is_slug = |field: &FieldDefinition| field.slug.is_some() && field.name == name;
    value.and_then(Bson::as_str).is_some_and(str::is_empty) && definition.fields.iter().any(is_slug)
}

impl SlugField {
    fn is_empty_in(&self, document: &Document) -> bool {
        document.get(self.name).and_then(Bson::as_str).is_some_and(str::is_empty)
    }
}

impl SlugWriting {
    /// Each document that leaves a slug empty gets one that no other has.
    pub(super) async fn fill_inserts(&self, context: &Context, documents: &mut [Document]) -> Result<()> {
        for slug in slugs(self.definition) {
            let given = documents.iter().filter_map(|document| document.get_str(slug.name).ok());
            let mut taken: HashSet<String> = given.map(str::to_owned).collect();
            let mut empty: Vec<&mut Document> =
                documents.iter_mut().filter(|document| slug.is_empty_in(document)).collect();
            for documents in empty.chunks_mut(CHUNK) {
                self.fill(context, &slug, documents, &mut taken).await?;
            }
        }
        Ok(())
    }

    async fn fill(
        &self,
        context: &Context,
        slug: &SlugField,
        documents: &mut [&mut Document],
        taken: &mut HashSet<String>,
    ) -> Result<()> {
        let made = |document: &Document| slug_of(document.get_str(slug.from).unwrap_or_default(), slug.max_len);
        let wanted: Vec<String> = documents.iter().map(|document| made(document)).collect();
        taken.extend(self.stored(context, slug, wanted.iter().cloned()).await?);
        let mut seen = HashSet::new();
        let again: HashSet<&String> =
            wanted.iter().filter(|wanted| !seen.insert(*wanted) || taken.contains(*wanted)).collect();
        // What is asked for in one command stays as small.
        let numbered: Vec<String> = again.iter().flat_map(|wanted| others(wanted, slug.max_len)).collect();
        for numbered in numbered.chunks(CHUNK) {
            taken.extend(self.stored(context, slug, numbered.iter().cloned()).await?);
        }
        for (document, wanted) in documents.iter_mut().zip(&wanted) {
            // Those with a number only where it is known which of them are taken.
            let numbered = again.contains(wanted).then(|| others(wanted, slug.max_len)).into_iter().flatten();
            let mut candidates = [wanted.clone()].into_iter().chain(numbered);
            let free = candidates.find(|candidate| !candidate.is_empty() && !taken.contains(candidate));
            let free = free.unwrap_or_else(|| random(wanted, slug.max_len));
            taken.insert(free.clone());
            document.insert(slug.name, free);
        }
        Ok(())
    }

    /// Which of these are taken.
    async fn stored(
        &self,
        context: &Context,
        slug: &SlugField,
        slugs: impl Iterator<Item = String>,
    ) -> Result<Vec<String>> {
        let asked: Vec<String> = slugs.collect();
        if asked.is_empty() {
            return Ok(asked);
        }
        let mut query = Query::new(self.definition.collection, doc! { slug.name: { "$in": asked } });
        query.projection = doc! { "_id": 0, slug.name: 1 };
        let found = query.all(&context.newest()).await?;
        Ok(found.iter().filter_map(|document| Some(document.get_str(slug.name).ok()?.to_owned())).collect())
    }
}
