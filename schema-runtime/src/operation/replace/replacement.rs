//! The replacement of a document with derived data, as a write of the engine: an update of the fields of the struct.
//! The update keeps the versions and the marks, and leaves copies to their sources.

use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use super::Place;
use crate::{
    changes::{ChangeSet, Operator, UpdateSpec},
    codec,
    definition::{FieldDefinition, ModelDefinition},
    derived::{
        effect::{Returns, WriteView},
        effect_list::{self, EFFECTS},
        throttle::Propagation,
    },
    document::value_at,
    error::{Error, Result, server},
    executor::{Context, UpdateRequest},
    model::without_hidden,
    operation::{
        atomic::is_atomic,
        engine::{self, EngineWrite, Settled},
        write_effects::Effects,
    },
    read::Query,
};

/// Replaces the document, and returns the document after the replacement.
pub(super) async fn replace(context: &Context, place: &Place, document: &RawDocument) -> Result<RawDocumentBuf> {
    if place.definition.managed().created_at.is_none() {
        let stored = replace_found(context, place, document).await?;
        return without_others(context, place, stored, document).await;
    }
    let mut place = Place { has_created_at: Some(true), ..place.clone() };
    let replaced = match replace_found(context, &place, document).await {
        // The document may be older than the time of the insert in the struct: then the document gets the time.
        Err(error @ (Error::NotFound { .. } | Error::VersionConflict { .. })) => {
            place.has_created_at = Some(false);
            let again = replace_found(context, &place, document).await;
            again.map_err(|now| {
                if matches!(now, Error::NotFound { .. } | Error::VersionConflict { .. }) { error } else { now }
            })
        }
        replaced => replaced,
    };
    without_others(context, &place, replaced?, document).await
}

/// Removes the fields that neither the struct nor the written document has. The document that the write returned shows
/// these fields. A field with a leading `_` may belong to this crate.
async fn without_others(
    context: &Context,
    place: &Place,
    stored: RawDocumentBuf,
    written: &RawDocument,
) -> Result<RawDocumentBuf> {
    let definition = place.definition;
    let is_kept = |name: &str| definition.extra.are_kept() && matches!(written.get(name), Ok(Some(_)));
    let is_own = |name: &str| stored_names(definition).any(|own| own == name) || is_kept(name);
    let is_other =
        |name: &&str| !name.is_empty() && !name.starts_with(['_', '$']) && !name.contains('.') && !is_own(name);
    let names = codec::elements(&stored).map(|element| element.name()).filter(is_other);
    let others: Document = names.map(|name| (name.to_owned(), Bson::from(""))).collect();
    if others.is_empty() {
        return Ok(stored);
    }
    let (filter, returned) = (place.id.clone(), without_hidden(definition.fields));
    let sent = UpdateRequest { filter, update: doc! { "$unset": others }, returned, ..UpdateRequest::default() };
    let found = context.find_one_and_update(definition.collection, sent, true, Document::new()).await;
    Ok(found.map_err(|error| server::write(definition, error))?.unwrap_or(stored))
}

/// Returns the names under which a model stores fields, and for an enum the name of the variant field.
pub(in crate::operation) fn stored_names(definition: &'static ModelDefinition) -> impl Iterator<Item = &'static str> {
    let tag = definition.variants.map(|variants| variants.tag);
    definition.fields.iter().map(|field| field.name).chain(tag)
}

async fn replace_found(context: &Context, place: &Place, document: &RawDocument) -> Result<RawDocumentBuf> {
    let definition = place.definition;
    let changes = of_own_fields(place, document)?;
    let touched = definition.with_slugs(changes.paths().map(str::to_owned).collect());
    if let Some(sent) = unchanged(definition, place.filter(), &changes) {
        let found = context.find_one_and_update(definition.collection, sent, true, Document::new()).await;
        if let Some(found) = found.map_err(|error| server::write(definition, error))? {
            return Ok(found);
        }
    }
    let compares = effect_list::concerning(definition).any(|effect| effect.compares(definition));
    engine::run(context, ReplaceWrite { place: place.clone(), changes, touched, compares, attempt: 0 }).await
}

/// The replacement of a document with changes of derived data.
#[derive(Clone)]
struct ReplaceWrite {
    place: Place,
    changes: ChangeSet,
    touched: Vec<String>,
    /// True when unchanged values are left out, since a rewrite of unchanged values may be expensive.
    compares: bool,
    /// The number of the running attempt.
    attempt: u32,
}

impl EngineWrite for ReplaceWrite {
    type Prepared = UpdateSpec;
    type Answer = Option<RawDocumentBuf>;
    type Written = RawDocumentBuf;

    fn is_atomic(&self) -> bool {
        is_atomic(self.place.definition, &WriteView::Update { touched: &self.touched, upsert: false })
    }

    async fn prepare(&mut self, context: &Context, attempt: u32) -> Result<(UpdateSpec, Effects)> {
        self.attempt = attempt;
        let definition = self.place.definition;
        let (filter, changes, touched) = (self.place.filter(), self.changes.clone(), self.touched.clone());
        let returned = without_hidden(definition.fields);
        let mut spec = UpdateSpec { filter, changes, touched, is_whole: true, returned, ..UpdateSpec::default() };
        if self.compares {
            let query = Query::new(definition.collection, self.place.filter());
            let query = Query { projection: without_hidden(definition.fields), ..query };
            let stored = query.first(&context.newest()).await?;
            let Some(stored) = stored else { return Err(self.place.why_not(context).await?) };
            let stored = Document::try_from(&*stored).map_err(Error::encode)?;
            if attempt < MOST_COMPARED {
                leave_out(definition, &stored, &mut spec);
            }
            spec.stored = Some(stored);
        }
        let propagation = Propagation::default();
        let effects = Box::pin(Effects::of_update(context, definition, &mut spec, &propagation)).await?;
        Ok((spec, effects))
    }

    async fn send(
        &mut self,
        context: &Context,
        spec: UpdateSpec,
        effects: &mut Effects,
    ) -> Result<Option<RawDocumentBuf>> {
        effects.find_one_and_update(&context.majority(), self.place.definition, spec, Returns::After).await
    }

    async fn settle(
        &mut self,
        context: &Context,
        effects: &mut Effects,
        answer: Result<Option<RawDocumentBuf>>,
    ) -> Result<Settled<RawDocumentBuf>> {
        match answer {
            Ok(Some(found)) => Ok(Settled::Done(found)),
            // The compared values may have changed since the read.
            Ok(None) => match effects.try_again(context).await? || self.compares && self.attempt < MOST_COMPARED {
                true => Ok(Settled::Again),
                false => Err(self.place.why_not(context).await?),
            },
            Err(error) => engine::settle_failure(context, effects, error).await,
        }
    }

    fn document(stored: &RawDocumentBuf) -> Option<&RawDocument> {
        Some(stored)
    }
}

/// The number of attempts that leave unchanged values out. Later attempts write all values, whether changed or not.
const MOST_COMPARED: u32 = 3;

/// Leaves out the fields whose stored value equals the new value. The filter asks for the value in the place of the
/// write: then the field causes no further work.
fn leave_out(definition: &'static ModelDefinition, stored: &Document, spec: &mut UpdateSpec) {
    let own = spec.changes.set_values();
    let (mut same, mut guards) = (Vec::new(), Vec::new());
    for effect in effect_list::concerning(definition) {
        for condition in effect.unchanged(definition, &own) {
            let Some(name) = condition.keys().next().filter(|name| !name.contains('.')).cloned() else { continue };
            if value_at(stored, &name) == value_at(&own, &name) {
                same.push(name);
                guards.push(condition);
            }
        }
        for top in effect.nested(definition) {
            if let Some(value) = stored.get(top).filter(|_| effect.is_same(definition, top, &own, stored)) {
                guards.push(doc! { top: { "$eq": value } });
                same.push(top.to_owned());
            }
        }
    }
    for name in &same {
        spec.changes.remove(Operator::Set, name);
        spec.changes.remove(Operator::Unset, name);
    }
    spec.touched.retain(|touched| !same.contains(touched));
    if !guards.is_empty() {
        spec.filter.insert("$and", guards);
    }
}

/// Returns a replacement as an update of the fields of the struct. Copies are not part of the update: copies come with
/// the reference.
pub(super) fn of_own_fields(place: &Place, document: &RawDocument) -> Result<ChangeSet> {
    let definition = place.definition;
    let mut set = Document::try_from(document).map_err(Error::encode)?;
    set.remove("_id");
    let is_derived =
        |name: &str, value: Option<&Bson>| EFFECTS.iter().any(|effect| effect.owns(definition, name, value));
    let derived: Vec<String> =
        set.iter().filter(|(name, value)| is_derived(name, Some(value))).map(|(name, _)| name.clone()).collect();
    derived.iter().for_each(|name| drop(set.remove(name)));
    definition.unversioned().for_each(|field| drop(set.remove(field.name)));
    // Fields of another variant are removed, in case the document had the other variant before.
    let may_lack = |field: &FieldDefinition| field.skippable || definition.variants.is_some() && field.name != "_id";
    let is_absent = |field: &&FieldDefinition| {
        may_lack(field)
            && !field.unversioned
            && !place.kept.contains(&field.name)
            && !set.contains_key(field.name)
            && !is_derived(field.name, None)
    };
    let absent = definition.fields.iter().filter(is_absent);
    let absent: Vec<&str> = absent.map(|field| field.name).collect();
    if let Some(created_at) = definition.managed().created_at.filter(|_| place.has_created_at != Some(false)) {
        set.remove(created_at.name);
    }
    let mut changes = ChangeSet::setting(set);
    absent.into_iter().for_each(|name| changes.put(Operator::Unset, name, ""));
    Ok(changes)
}

/// Returns the update for a document whose references and copied fields equal the value: then no copy is touched, and a
/// single command is enough. `None` where a filter cannot ask for all references and fields, as for references in an
/// array.
fn unchanged(definition: &'static ModelDefinition, mut filter: Document, changes: &ChangeSet) -> Option<UpdateRequest> {
    let own = &changes.set_values();
    let mut same = Vec::new();
    for effect in effect_list::concerning(definition) {
        if !effect.nested(definition).is_empty() {
            return None;
        }
        same.extend(effect.unchanged(definition, own));
    }
    // The `#[unversioned]` fields are not written.
    same.retain(|condition| !definition.unversioned().any(|field| condition.contains_key(field.name)));
    if !same.is_empty() {
        filter.insert("$and", same);
    }
    let (update, returned) = (changes.clone().into_document(), without_hidden(definition.fields));
    Some(UpdateRequest { filter, update, returned, ..UpdateRequest::default() })
}
