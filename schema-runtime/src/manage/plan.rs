//! The changes that make a database match the models, as data. `inspect` reads the server, `diff` compares (pure),
//! `count` counts the documents that a change would meet, `moderate` adjusts validators by the counts, `render` writes
//! the plan as text, and `validator` translates a definition into the notation of the server (pure). `apply` runs the
//! plan.

mod compare;
mod count;
mod diff;
mod inspect;
mod moderate;
mod render;
mod shard;
mod step;
#[cfg(test)]
mod tests;
mod validator;

use mongodb::Database;

pub use crate::indexes::Index;
pub(crate) use compare::same_validator;
pub(crate) use count::{count_duplicates, refused_documents};
pub(crate) use inspect::{CollectionState, inspect_collection};
pub use step::{Change, Clash, Duplicates, Needs, Note, Step, Validator};

use crate::{
    connect,
    definition::ModelDefinition,
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

    /// Returns the model of the collection that a step changes.
    pub(crate) fn model(&self, step: &Step) -> Option<&'static ModelDefinition> {
        self.models.iter().copied().find(|model| model.collection == step.collection)
    }
}

pub(crate) async fn plan(models: &[&'static ModelDefinition], database: &Database) -> Result<Plan> {
    one_collection_each(models)?;
    let models: Vec<_> = models.iter().copied().filter(|model| !model.read_only).collect();
    connect::require_supported(database).await?;
    let states = inspect::inspect(models.iter().map(|model| model.collection), database).await?;
    let mut plan = diff::diff(&models, &states)?;
    shard::add(&mut plan, &states, database).await?;
    for step in &mut plan.steps {
        let Some(model) = models.iter().find(|model| model.collection == step.collection) else { continue };
        let exists = states.iter().any(|state| state.name == step.collection);
        count::fill(step, model, exists, database).await?;
    }
    moderate::until_they_pass(&mut plan);
    Ok(plan)
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
