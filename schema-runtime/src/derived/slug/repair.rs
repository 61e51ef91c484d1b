//! Repairs lists of slugs that lack the current slug, as in documents from before the list or from writes that bypass this crate, and lists
//! that are too long. Reaches the server.

use std::fmt;

use mongodb::bson::{Bson, Document, doc};

use super::field::{SlugField, moved};
use crate::{
    definition::{KeptSlugs, ModelDefinition},
    error::{Result, server},
    executor::{Context, Sent},
    limits::ASKED_SLUGS,
    read::Query,
    report::{but_for_refused, counted, named},
};

/// The result of the repair of the lists of one slug.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairedSlugs {
    /// The slug, `Product.slug`.
    pub slug: String,
    /// The number of lists that were written.
    pub documents: u64,
    /// The number of lists that could not be written, since another document keeps the slug.
    pub refused: u64,
    /// The `_id`s of some refused documents.
    pub examples: Vec<Bson>,
}

impl fmt::Display for RepairedSlugs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let documents = counted(self.documents, "list of slugs", "lists of slugs");
        write!(formatter, "{}: {documents} written{}", self.slug, but_for_refused(self.refused, &self.examples))
    }
}

/// Returns the stored name of each slug with incomplete lists, with the number of documents and the `_id`s of the first documents.
pub(crate) async fn unkept(
    definition: &'static ModelDefinition,
    context: &Context,
    most: usize,
) -> Result<Vec<(&'static str, u64, Vec<Bson>)>> {
    let mut all = Vec::new();
    for slug in moved(definition) {
        let Some(kept) = slug.kept else { continue };
        let query = Query::new(definition.collection, lacking(&slug, kept));
        let count = query.clone().count(context).await?;
        if count > 0 {
            let examples = Query { limit: most as u64, ..query.behind(None) }.all_ids(context).await?;
            all.push((slug.name, count, examples));
        }
    }
    Ok(all)
}

/// Adds the slug of each document to the list.
pub(crate) async fn repair(models: &[&'static ModelDefinition], context: &Context) -> Result<Vec<RepairedSlugs>> {
    let mut all = Vec::new();
    for definition in models {
        for slug in moved(definition) {
            let Some(kept) = slug.kept else { continue };
            let name = format!("{}.{}", definition.model, slug.name);
            let mut repaired = RepairedSlugs { slug: name, documents: 0, refused: 0, examples: Vec::new() };
            let mut last = None;
            loop {
                let query = Query::new(definition.collection, lacking(&slug, kept)).behind(last.as_ref());
                let found =
                    Query { limit: ASKED_SLUGS as u64, projection: slug.projection(), ..query }.all(context).await?;
                let Some(end) = found.last() else { break };
                last = end.get("_id").cloned();
                for document in &found {
                    repaired.add(document, keep(definition, context, &slug, kept, document).await)?;
                }
            }
            if repaired.documents + repaired.refused > 0 {
                all.push(repaired);
            }
        }
    }
    Ok(all)
}

impl RepairedSlugs {
    fn add(&mut self, document: &Document, kept: Result<u64>) -> Result<()> {
        match kept {
            Ok(matched) => self.documents += matched,
            Err(error) if error.writes_nothing() => {
                self.refused += 1;
                named(&mut self.examples, document.get("_id").cloned());
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// Writes the list of a document that still has the read values.
async fn keep(
    definition: &'static ModelDefinition,
    context: &Context,
    slug: &SlugField,
    kept: KeptSlugs,
    document: &Document,
) -> Result<u64> {
    let current = document.get_str(slug.name).unwrap_or_default();
    let list = slug.list(kept, current, &slug.all_in(document));
    let mut filter =
        doc! { "_id": { "$eq": document.get("_id").cloned().unwrap_or(Bson::Null) }, slug.name: { "$eq": current } };
    let as_read = match document.get(kept.name) {
        Some(list) => doc! { "$eq": list.clone() },
        None => doc! { "$exists": false },
    };
    filter.insert(kept.name, as_read);
    let sent = Sent { filter, update: doc! { "$set": { kept.name: list } }, ..Sent::default() };
    let updated = context.majority().update_one(definition.collection, sent).await;
    Ok(updated.map_err(|error| server::write(definition, error))?.matched_count)
}

/// Returns the filter of the documents whose list does not begin with the slug, or is too long.
fn lacking(slug: &SlugField, kept: KeptSlugs) -> Document {
    let list = format!("${}", kept.name);
    let first = doc! { "$arrayElemAt": [{ "$cond": [{ "$isArray": [&list] }, &list, []] }, 0] };
    let is_other = doc! { "$expr": { "$ne": [first, format!("${}", slug.name)] } };
    let is_longer = doc! { format!("{}.{}", kept.name, kept.most.saturating_add(1)): { "$exists": true } };
    doc! { slug.name: { "$type": "string" }, "$or": [is_other, is_longer] }
}
