//! Putting a value in the place of a document that holds copies or is copied: an update of its own fields, which keeps the
//! versions and the marks, and leaves copies to their sources.

use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use super::Place;
use crate::{
    definition::{CopyMode, ModelDefinition},
    derived::{
        copies::{Manner, Propagation, paths_from, paths_into},
        rollup,
    },
    document::{changed_by, value_at},
    error::{Error, Result, server},
    executor::{Context, Sent},
    operation::effects::Effects,
};

/// The document as it is then.
pub(super) async fn replace(context: &Context, place: &Place, document: &RawDocument) -> Result<RawDocumentBuf> {
    let definition = place.definition;
    let update = of_own_fields(definition, document)?;
    let touched = changed_by(&update);
    if let Some(sent) = unchanged(definition, place.filter(), &update) {
        let found = context.find_one_and_update(definition.collection, sent, true, Document::new()).await;
        if let Some(found) = found.map_err(|error| server::write(definition, error))? {
            return Ok(found);
        }
    }
    loop {
        let (filter, update, touched) = (place.filter(), update.clone(), touched.clone());
        let mut sent = Sent { filter, update, touched, ..Sent::default() };
        let following = Propagation::default();
        let effects = Effects::of_update(context, definition, &mut sent, &following, Manner::Alone, false);
        let mut effects = Box::pin(effects).await?;
        let found = effects.find_one_and_update(&context.majority(), definition, sent, true).await?;
        if let Some(found) = found {
            effects.finish(context).await?;
            return Ok(found);
        }
        if !effects.has_missed(context).await? && !effects.has_moved(context).await? {
            return Err(place.why_not(context).await?);
        }
    }
}

/// A replacement as an update of the struct's own fields. Copies are not among them: they come with the reference.
pub(super) fn of_own_fields(definition: &ModelDefinition, document: &RawDocument) -> Result<Document> {
    let mut set = Document::try_from(document).map_err(Error::encode)?;
    set.remove("_id");
    for copy in definition.copies.iter().filter(|copy| copy.mode != CopyMode::Snapshot) {
        set.remove(copy.name);
    }
    for rollup in definition.rollups {
        set.remove(rollup.name);
    }
    let is_rolled_up = |name: &str| definition.rollups.iter().any(|rollup| rollup.name == name);
    let is_copy =
        |name: &str| definition.copies.iter().any(|copy| copy.mode != CopyMode::Snapshot && copy.name == name);
    let absent = definition.fields.iter().filter(|field| {
        field.skippable && !set.contains_key(field.name) && !is_copy(field.name) && !is_rolled_up(field.name)
    });
    let unset: Document = absent.map(|field| (field.name.to_owned(), Bson::from(""))).collect();
    if let Some(created_at) = definition.managed().created_at {
        set.remove(created_at.name);
    }
    let mut update = doc! { "$set": set };
    if !unset.is_empty() {
        update.insert("$unset", unset);
    }
    Ok(update)
}

/// The same for a document whose references and copied fields are as they are in the value: then no copy is touched, and one
/// command is all. `None` where that cannot be asked for, as with references in an array.
fn unchanged(definition: &'static ModelDefinition, mut filter: Document, update: &Document) -> Option<Sent> {
    let own = update.get_document("$set").ok()?;
    let mut same = Vec::new();
    for path in paths_into(definition) {
        if !path.steps.is_empty() {
            return None;
        }
        same.push(doc! { path.reference: { "$eq": value_at(own, path.reference) } });
    }
    for path in paths_from(definition) {
        same.extend(path.from().map(|from| doc! { from: { "$eq": value_at(own, from) } }));
    }
    same.extend(rollup::is_unchanged(definition, own));
    if same.is_empty() {
        // Nothing of it is copied or kept: only what it keeps itself was left out.
        return Some(Sent { filter, update: update.clone(), ..Sent::default() });
    }
    filter.insert("$and", same);
    Some(Sent { filter, update: update.clone(), ..Sent::default() })
}
