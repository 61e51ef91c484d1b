//! Rule: `unkept_slug`. The page is `guide/pages/rules/unkept_slug.md`.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::effect::Slugs;
use super::field::{SlugField, moved};
use crate::{
    definition::{KeptSlugs, ModelDefinition},
    derived::maintenance::{Fault, Maintenance, MaintenanceKind, Place, Task},
    error::{Result, server},
    executor::{Context, UpdateRequest},
    limits::ASKED_SLUGS,
    read::{Query, Walk},
};

impl Maintenance for Slugs {
    fn places(&self, models: &[&'static ModelDefinition], task: Task) -> Vec<Box<dyn Place>> {
        if let Task::Backfill = task {
            return Vec::new();
        }
        let slugs = models.iter().flat_map(|model| moved(model).map(|slug| (*model, slug)));
        let kept = slugs.filter_map(|(definition, slug)| slug.kept.map(|kept| (definition, slug, kept)));
        kept.map(|(definition, slug, kept)| -> Box<dyn Place> { Box::new(Lists { definition, slug, kept }) }).collect()
    }
}

/// The lists of one slug.
struct Lists {
    definition: &'static ModelDefinition,
    slug: SlugField,
    kept: KeptSlugs,
}

impl Place for Lists {
    fn name(&self) -> (&'static str, String) {
        (self.definition.model, self.slug.name.to_owned())
    }

    fn walk(&self, context: &Context) -> Walk {
        let query = Query::new(self.definition.collection, lacking(&self.slug, self.kept));
        Walk::by_id(context, Query { projection: doc! { "_id": 1 }, ..query }, ASKED_SLUGS as u32)
    }

    fn faults<'a>(&'a mut self, _: &'a Context, chunk: Vec<Document>) -> BoxFuture<'a, Result<Vec<Fault>>> {
        let ids = chunk.iter().filter_map(|document| document.get("_id").cloned());
        let faults = ids.map(|id| Fault::new(MaintenanceKind::UnkeptSlug, id)).collect();
        Box::pin(async move { Ok(faults) })
    }

    /// Adds the slug of the document to the list.
    fn rewrite<'a>(&'a self, context: &'a Context, fault: &'a Fault) -> BoxFuture<'a, Result<Option<u64>>> {
        Box::pin(async move {
            let Lists { definition, slug, kept } = self;
            let mut query = Query::new(definition.collection, lacking(slug, *kept));
            query.filter.insert("_id", doc! { "$eq": &fault.id });
            query.projection = slug.projection();
            let Some(document) = query.all(context).await?.pop() else { return Ok(Some(0)) };
            keep(definition, context, slug, *kept, &document).await.map(Some)
        })
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
    let sent = UpdateRequest { filter, update: doc! { "$set": { kept.name: list } }, ..UpdateRequest::default() };
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
