//! The changes that make a database match the models, as data. `inspect` reads the server, `diff` compares (pure),
//! `index_steps` matches indexes (pure), `options` compares the kind and the options of a collection (pure). `count`
//! counts the documents that a change would meet, and `figures` adds the use of undeclared indexes and the sizes of
//! rebuilds. `moderate` adjusts validators by the counts, `render` writes the plan as text, and `validator` translates
//! a definition into the notation of the server (pure). `apply` runs the plan.

mod collations;
mod compare;
mod count;
mod diff;
mod figures;
mod index_steps;
mod inspect;
mod moderate;
pub(crate) mod options;
mod render;
mod search;
mod shard;
mod step;
#[cfg(test)]
mod tests;
mod validator;

use mongodb::Database;

pub use crate::{
    indexes::{Index, SearchIndex},
    manage::search::SearchChange,
};
use collations::Collations;
pub(crate) use compare::same_validator;
pub(crate) use count::{count_duplicates, refused_documents};
pub(crate) use index_steps::{IndexStep, index_steps};
#[cfg(feature = "schema-file")]
pub(crate) use inspect::parse_index;
pub(crate) use inspect::{CollectionState, inspect_collection};
pub(crate) use options::same_option;
pub use step::{Change, Clash, CollectionSize, Duplicates, Needs, Note, Step, Used, Validator};
pub(crate) use validator::validator;

use crate::{
    connect,
    definition::{CollectionKind, ModelDefinition},
    error::{Error, Result},
};

/// The changes that a database needs. Data: [`steps`](Plan::steps) for programs, `Display` for people.
///
/// A plan changes nothing: [`apply`](Plan::apply) does the changes.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    models: Vec<&'static ModelDefinition>,
    steps: Vec<Step>,
    notes: Vec<Note>,
}

impl Plan {
    /// Returns the steps in the order of an apply: by model, in the order of the schema.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns facts that are worth knowing and are no reason for a change, such as a hidden index.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns whether the database matches the models and has no undeclared index.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the steps that [`apply`](Plan::apply) would do without further options: all steps except those that
    /// drop, rebuild, replace a validator of another program, or cannot be done.
    pub fn pending(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.needs() == Needs::Nothing)
    }

    /// Returns the plan of the collections that do not exist.
    pub(crate) fn of_missing_collections(&self) -> Plan {
        let is_made = |step: &&Step| matches!(step.change, Change::CreateCollection { .. });
        let made: Vec<&str> = self.steps.iter().filter(is_made).map(|step| step.collection.as_str()).collect();
        let steps = self.steps.iter().filter(|step| made.contains(&step.collection.as_str())).cloned().collect();
        Plan { models: self.models.clone(), steps, notes: Vec::new() }
    }

    /// Returns the place behind all steps of a collection; without such steps, behind the steps of all earlier models.
    fn place_behind(&self, collection: &str) -> usize {
        let at = self.steps.iter().rposition(|step| step.collection == collection);
        let before = || {
            let earlier: Vec<&str> =
                self.models.iter().map(|model| model.collection).take_while(|name| *name != collection).collect();
            self.steps.iter().rposition(|step| earlier.contains(&step.collection.as_str()))
        };
        at.or_else(before).map_or(0, |at| at + 1)
    }

    /// Returns the model of the collection that a step changes.
    pub(crate) fn model(&self, step: &Step) -> Option<&'static ModelDefinition> {
        self.models.iter().copied().find(|model| model.collection == step.collection)
    }
}

/// Returns the reason why a model cannot use a collection.
pub(crate) fn clash(model: &ModelDefinition, state: &CollectionState) -> Option<Clash> {
    match options::compare(&options::wanted_options(model), &state.options) {
        options::Compared::Clash(clash) => Some(clash),
        options::Compared::Changes(_) | options::Compared::Convert(..) => None,
    }
}

/// Returns whether a collection has the kind and the options of a model.
pub(crate) fn matches_options(model: &ModelDefinition, state: &CollectionState) -> bool {
    let compared = options::compare(&options::wanted_options(model), &state.options);
    matches!(compared, options::Compared::Changes(changes) if changes.is_empty())
}

pub(crate) async fn plan(models: &[&'static ModelDefinition], database: &Database) -> Result<Plan> {
    one_collection_each(models)?;
    let models: Vec<_> = models.iter().copied().filter(|model| model.is_planned()).collect();
    connect::require_supported(database).await?;
    no_view_of_itself(&models)?;
    let states = inspect::inspect(models.iter().map(|model| model.collection), database).await?;
    let collations = Collations::ask(&models, database).await?;
    let mut plan = diff::diff(&models, &states, &collations)?;
    shard::add(&mut plan, &states, database).await?;
    search::add(&mut plan, &states, database).await?;
    for step in &mut plan.steps {
        let Some(model) = models.iter().find(|model| model.collection == step.collection) else { continue };
        let exists = states.iter().any(|state| state.name == step.collection);
        count::fill(step, model, exists, database).await?;
    }
    figures::fill(&mut plan, database).await?;
    moderate::until_they_pass(&mut plan);
    Ok(plan)
}

/// Refuses views that read each other in a circle.
fn no_view_of_itself(models: &[&'static ModelDefinition]) -> Result<()> {
    for model in models {
        let mut at: &ModelDefinition = model;
        for _ in 0..=models.len() {
            let CollectionKind::View(view) = &at.options.kind else { break };
            at = (view.of.definition)();
            if at.collection == model.collection {
                let message = format!("the view `{}` reads the documents of the same view", model.name);
                return Err(Error::DefinitionConflict { collection: model.collection.to_owned(), message });
            }
        }
    }
    Ok(())
}

/// Refuses two models in the same collection, since each model would plan to drop the indexes of the other.
fn one_collection_each(models: &[&'static ModelDefinition]) -> Result<()> {
    for (at, model) in models.iter().enumerate() {
        if let Some(other) = models[..at].iter().find(|other| other.collection == model.collection) {
            return Err(Error::DefinitionConflict {
                collection: model.collection.to_owned(),
                message: format!("`{}` and `{}` both name this collection", other.name, model.name),
            });
        }
    }
    Ok(())
}
