//! What would change in a database for it to be as the models say, as data. `inspect` reads the server, `diff` compares
//! (pure), `count` asks how many documents a change would meet, `moderate` says what follows from that, `render` writes it as text; `validator` spells a definition as
//! the server does (pure). `apply` runs what is here.

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

pub use crate::manage::indexes::Index;
pub(crate) use compare::same_validator;
pub(crate) use count::{count_duplicates, refused_documents};
pub(crate) use inspect::{CollectionState, inspect_collection};
pub use step::{Change, Clash, Duplicates, Needs, Note, Step, Validator};

use crate::{
    connect,
    definition::ModelDefinition,
    error::{Error, Result},
};

/// What would change in a database. Data: [`steps`](Plan::steps) for programs, `Display` for people.
///
/// Nothing has changed yet: [`apply`](Plan::apply) does that.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    models: Vec<&'static ModelDefinition>,
    steps: Vec<Step>,
    notes: Vec<Note>,
}

impl Plan {
    /// The steps, in the order in which they would be done: by model, as the schema lists them.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What is worth knowing and no reason to change anything, as a hidden index.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether the database is as the models say and has no index of its own beside theirs.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps that [`apply`](Plan::apply) would do without further options: all but those that drop, rebuild, replace
    /// another's validator or cannot be done.
    pub fn pending(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.needs() == Needs::Nothing)
    }

    /// The model whose collection a step changes.
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

/// Two models in one collection would each plan the other's indexes away.
fn one_collection_each(models: &[&'static ModelDefinition]) -> Result<()> {
    for (at, model) in models.iter().enumerate() {
        if let Some(other) = models[..at].iter().find(|other| other.collection == model.collection) {
            return Err(Error::DefinitionConflict {
                collection: model.collection.to_owned(),
                message: format!("`{}` and `{}` both name it as theirs", other.name, model.name),
            });
        }
    }
    Ok(())
}
