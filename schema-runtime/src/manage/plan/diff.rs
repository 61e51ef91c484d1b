//! Computes the steps from the state of the server to the definitions. Pure.

use mongodb::bson::Document;

use super::{
    Change, Clash, Collations, Index, IndexStep, Note, Plan, Step,
    collations::of_new_collection,
    compare::{same_rule, same_validator},
    index_steps,
    inspect::CollectionState,
    options::{Compared, compare, wanted_options},
    validator::{is_own, validator},
};
use crate::{
    definition::ModelDefinition,
    derived::copies::{CopyPath, paths_into},
    error::{Error, Result},
    indexes::wanted_indexes,
};

/// Returns the plan, without the counts.
pub(crate) fn diff(
    models: &[&'static ModelDefinition],
    states: &[CollectionState],
    collations: &Collations,
) -> Result<Plan> {
    let mut plan = Plan { models: models.to_vec(), ..Plan::default() };
    one_name_for_one_path(models)?;
    for model in models {
        let state = states.iter().find(|state| state.name == model.collection);
        let mut wanted = if model.options.kind.is_view() { Vec::new() } else { wanted_indexes(model)? };
        let mut options = wanted_options(model);
        collations.complete(&mut options, &mut wanted, state);
        let mut changes = Changes { model, steps: &mut plan.steps, notes: &mut plan.notes };
        match state {
            None => changes.create(wanted, options.collation.as_ref()),
            Some(state) => match compare(&options, &state.options) {
                Compared::Clash(clash) => changes.push(Change::CollectionClash { clash }),
                _ if options.collation.is_none() && state.options.collation.is_some() && model.derives() => {
                    changes.push(Change::CollectionClash { clash: Clash::Collation });
                }
                compared => {
                    changes.options(compared, state);
                    changes.contents(wanted, state);
                }
            },
        }
    }
    Ok(plan)
}

/// Refuses models in which the marks of two places with copies have the same name, as the marks of `order.items.part`
/// and `order_items.part` would.
fn one_name_for_one_path(models: &[&'static ModelDefinition]) -> Result<()> {
    let mut seen: Vec<CopyPath> = Vec::new();
    for path in models.iter().flat_map(|model| paths_into(model)) {
        if let Some(other) = seen.iter().find(|other| other.name == path.name) {
            let message = format!(
                "the copies beside `{}` and the copies of `{}` beside `{}` have marks with the same name, `{}`: rename \
                 a field or a collection",
                path.reference_path(),
                other.holder.collection,
                other.reference_path(),
                path.name
            );
            return Err(Error::DefinitionConflict { collection: path.holder.collection.to_owned(), message });
        }
        seen.push(path);
    }
    Ok(())
}

/// The steps of a collection.
struct Changes<'a> {
    model: &'static ModelDefinition,
    steps: &'a mut Vec<Step>,
    notes: &'a mut Vec<Note>,
}

impl Changes<'_> {
    fn push(&mut self, change: Change) {
        let (collection, model) = (self.model.collection.to_owned(), self.model.model);
        self.steps.push(Step { collection, model, change });
    }

    /// Adds the steps for a collection that does not exist. `collation` has all options.
    fn create(&mut self, wanted: Vec<Index>, collation: Option<&Document>) {
        let validator = self.model.options.kind.has_validator().then(|| validator(self.model));
        let mut options = wanted_options(self.model);
        options.collation =
            options.collation.zip(collation).map(|(declared, whole)| of_new_collection(declared, whole));
        self.push(Change::CreateCollection { validator, options: options.for_create() });
        for index in wanted {
            self.push(Change::CreateIndex { index, duplicates: None });
        }
    }

    /// Adds the steps for the kind and the options of the collection.
    fn options(&mut self, compared: Compared, state: &CollectionState) {
        match compared {
            Compared::Changes(changes) => changes.into_iter().for_each(|change| self.push(change)),
            Compared::Convert(bytes, documents, changes) => {
                // A capped collection has no time to live. The crate cannot make a text index of another program again.
                let is_lost = |index: &Index| index.expire_after_seconds.is_some() || index.keys.contains_key("_fts");
                let (lost, indexes) = state.indexes.iter().cloned().partition(is_lost);
                self.push(Change::ConvertToCapped { bytes, documents, indexes, lost });
                changes.into_iter().for_each(|change| self.push(change));
            }
            Compared::Clash(clash) => self.push(Change::CollectionClash { clash }),
        }
    }

    /// Adds the steps for the validator and the indexes, as far as the kind of the collection has these.
    fn contents(&mut self, wanted: Vec<Index>, state: &CollectionState) {
        if self.model.options.kind.has_validator() {
            self.validator(state);
        }
        if !state.options.is_view() {
            self.indexes(wanted, state);
        }
    }

    fn validator(&mut self, state: &CollectionState) {
        let new = validator(self.model);
        let old = state.validator.clone();
        let foreign = match &old {
            Some(old) if same_validator(old, &new) => return,
            Some(old) => !is_own(&old.rule) && !same_rule(&old.rule, &new.rule),
            None => false,
        };
        self.push(Change::SetValidator { old, new, foreign, refused: None });
    }

    /// Adds the steps for indexes.
    fn indexes(&mut self, wanted: Vec<Index>, state: &CollectionState) {
        for step in index_steps(wanted, state.indexes.clone()) {
            match step {
                IndexStep::Keep { stored, .. } => {
                    if stored.hidden {
                        let collection = self.model.collection.to_owned();
                        self.notes.push(Note::HiddenIndex { collection, index: stored.name });
                    }
                }
                IndexStep::Create(index) => self.push(Change::CreateIndex { index, duplicates: None }),
                IndexStep::Change { stored: old, wanted: new } => {
                    self.push(Change::ChangeIndex { old, new, duplicates: None });
                }
                IndexStep::Rebuild { stored: old, wanted: new } => {
                    self.push(Change::RebuildIndex { old, new, duplicates: None, size: None });
                }
                IndexStep::NameTaken { stored: old, wanted: new, declared } => {
                    self.push(Change::IndexNameTaken { old, new, declared, duplicates: None });
                }
                IndexStep::Drop(index) if state.options.is_made_by_server(&index) => {}
                IndexStep::Drop(index) => self.push(Change::DropIndex { index, used: None }),
            }
        }
    }
}
