//! Computes the steps from the state of the server to the definitions. Pure.

use mongodb::bson::Document;

use super::{
    Change, Clash, Collations, Index, Note, Plan, Step,
    collations::of_new_collection,
    compare::{same_rule, same_validator},
    inspect::CollectionState,
    options::{Compared, compare, wanted_options},
    validator::{is_own, validator},
};
use crate::{
    definition::ModelDefinition,
    derived::copies::{CopyPath, paths_into},
    error::{Error, Result},
    indexes::{excludes, same_contents, same_index, same_keys, same_signature, wanted_indexes},
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

    /// Adds the steps for indexes. An index of the server stands for at most one declared index. Equal indexes match
    /// first, then indexes that `collMod` can make equal, then indexes that block the name. The remaining declared
    /// indexes are made; the remaining indexes of the server have no declaration.
    fn indexes(&mut self, wanted: Vec<Index>, state: &CollectionState) {
        let mut existing = state.indexes.clone();
        let mut found: Vec<Index> = Vec::new();
        let mut rest = Vec::new();
        for index in wanted {
            match take(&mut existing, |old| same_index(old, &index)) {
                Some(old) => {
                    if old.hidden {
                        let collection = self.model.collection.to_owned();
                        self.notes.push(Note::HiddenIndex { collection, index: old.name.clone() });
                    }
                    found.push(old);
                }
                None => rest.push(index),
            }
        }
        let mut unmatched = Vec::new();
        for index in rest {
            let same = take(&mut existing, |old| same_signature(old, &index))
                .or_else(|| take(&mut existing, |old| becomes_unique(old, &index)));
            match same {
                Some(old) => {
                    found.push(old.clone());
                    self.change(old, index);
                }
                None => unmatched.push(index),
            }
        }
        for index in unmatched {
            let mut taken = take(&mut existing, |old| old.name == index.name);
            if let Some(other) = take(&mut existing, |old| excludes(old, &index)) {
                // The server takes the new index only without the other index, under whatever name.
                match taken {
                    Some(_) => self.push(Change::DropIndex { index: other, used: None }),
                    None => taken = Some(other),
                }
            }
            self.push(match taken {
                Some(old) if same_keys(&old.keys, &index.keys) || excludes(&old, &index) => {
                    Change::RebuildIndex { old, new: index, duplicates: None, size: None }
                }
                Some(old) => Change::IndexNameTaken { old, new: index, declared: false, duplicates: None },
                None => match found.iter().find(|old| old.name == index.name) {
                    Some(old) => {
                        Change::IndexNameTaken { old: old.clone(), new: index, declared: true, duplicates: None }
                    }
                    None => Change::CreateIndex { index, duplicates: None },
                },
            });
        }
        existing.retain(|index| !state.options.is_made_by_server(index));
        for index in existing {
            self.push(Change::DropIndex { index, used: None });
        }
    }

    /// Adds the step that changes an index. `collMod` hides and shows an index, adds a time to live and makes an index
    /// unique, and takes neither a time to live nor uniqueness away (seen on 6.0). The old name stays, since another
    /// index may have the new name.
    fn change(&mut self, old: Index, new: Index) {
        let new = Index { name: old.name.clone(), ..new };
        if new.expire_after_seconds.is_none() && old.expire_after_seconds.is_some() {
            self.push(Change::RebuildIndex { old, new, duplicates: None, size: None });
        } else {
            self.push(Change::ChangeIndex { old, new, duplicates: None });
        }
    }
}

/// Returns whether the old index becomes the new index by uniqueness alone. An index under another name belongs to
/// another program and stays as is, beside the unique index.
fn becomes_unique(old: &Index, new: &Index) -> bool {
    old.name == new.name && new.unique && !old.unique && same_contents(old, new)
}

fn take(indexes: &mut Vec<Index>, is_it: impl Fn(&Index) -> bool) -> Option<Index> {
    indexes.iter().position(is_it).map(|at| indexes.remove(at))
}
