//! One write of a model with slugs. Reaches the server.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document};

use super::{
    field::{SlugField, slugs},
    make::{others, random, slug_of},
};
use crate::{
    definition::{FieldDefinition, ModelDefinition},
    error::{Error, Result},
    executor::Context,
    limits::ASKED_SLUGS,
    read::Query,
};

#[derive(Debug)]
pub(super) struct SlugWriting {
    pub(super) definition: &'static ModelDefinition,
    /// True when the write covers the writes of a bulk that are prepared together. Writes that change a slug come
    /// alone.
    pub(super) together: bool,
    /// True when the update applies only to the read document with the read values.
    pub(super) is_guarded: bool,
    /// The slugs that the update makes, each free at the time of the read.
    pub(super) made: Vec<(&'static str, String)>,
}

/// Returns whether the server refused a document with an empty slug because another document has taken the made slug
/// meanwhile.
pub(super) fn is_taken(definition: &'static ModelDefinition, document: &Document, error: &Error) -> bool {
    slugs(definition).any(|slug| slug.is_duplicate(error) && slug.is_empty_in(document))
}

/// Returns whether the field is a slug that a value leaves empty. The stored slug then stays.
pub(super) fn leaves_empty(definition: &ModelDefinition, name: &str, value: Option<&Bson>) -> bool {
    let is_slug = |field: &FieldDefinition| field.slug.is_some() && field.name == name;
    value.and_then(Bson::as_str).is_some_and(str::is_empty) && definition.fields.iter().any(is_slug)
}

impl SlugWriting {
    /// Gives a unique slug to each document that leaves a slug empty.
    pub(super) async fn fill_inserts(&self, context: &Context, documents: &mut [Document]) -> Result<()> {
        for slug in slugs(self.definition) {
            let given = documents.iter().filter_map(|document| document.get_str(slug.name).ok());
            let mut taken: HashSet<String> = given.map(str::to_owned).collect();
            let mut empty: Vec<&mut Document> =
                documents.iter_mut().filter(|document| slug.is_empty_in(document)).collect();
            for documents in empty.chunks_mut(ASKED_SLUGS) {
                self.fill(context, &slug, documents, &mut taken).await?;
            }
            let Some(kept) = slug.kept else { continue };
            for document in documents.iter_mut() {
                if let Some(current) = document.get_str(slug.name).ok().map(str::to_owned) {
                    document.insert(kept.name, vec![current]);
                }
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
        taken.extend(stored(self.definition, context, slug, wanted.clone()).await?);
        let mut seen = HashSet::new();
        let again: HashSet<&String> =
            wanted.iter().filter(|wanted| !seen.insert(*wanted) || taken.contains(*wanted)).collect();
        // Each command asks for a bounded number of slugs.
        let numbered: Vec<String> = again.iter().flat_map(|wanted| others(wanted, slug.max_len)).collect();
        for numbered in numbered.chunks(ASKED_SLUGS) {
            taken.extend(stored(self.definition, context, slug, numbered.to_vec()).await?);
        }
        for (document, wanted) in documents.iter_mut().zip(&wanted) {
            // Numbered slugs are candidates only when the taken numbered slugs are known.
            let numbered = again.contains(wanted).then(|| others(wanted, slug.max_len)).into_iter().flatten();
            let mut candidates = [wanted.clone()].into_iter().chain(numbered);
            let free = candidates.find(|candidate| !candidate.is_empty() && !taken.contains(candidate));
            let free = free.unwrap_or_else(|| random(wanted, slug.max_len));
            taken.insert(free.clone());
            document.insert(slug.name, free);
        }
        Ok(())
    }
}

/// Returns the slugs of all documents that have one of the given slugs.
pub(super) async fn stored(
    definition: &'static ModelDefinition,
    context: &Context,
    slug: &SlugField,
    asked: Vec<String>,
) -> Result<Vec<String>> {
    if asked.is_empty() {
        return Ok(asked);
    }
    let mut query = Query::new(definition.collection, slug.held(&asked));
    query.projection = slug.projection();
    query.projection.insert("_id", 0);
    let found = query.all(&context.newest()).await?;
    Ok(found.iter().flat_map(|document| slug.all_in(document)).collect())
}
