//! Doing what a plan says, one step after another, and saying what came of each. `run` does a step, `report` keeps what was
//! done.

mod report;
mod run;

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::Database;

pub use report::{AppliedStep, ApplyReport, Outcome};

use crate::{
    error::Result,
    manage::plan::{Change, Needs, Plan},
};

/// What [`Plan::apply_with`] may do beyond adding. Nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApplyOptions {
    drop_undeclared: bool,
    rebuild: bool,
    replace_validators: bool,
    reshard: bool,
    stop_on_error: bool,
    allow_refused: bool,
}

impl ApplyOptions {
    /// Adds what is missing, changes what `collMod` can change, and drops nothing.
    pub const fn new() -> Self {
        ApplyOptions {
            drop_undeclared: false,
            rebuild: false,
            replace_validators: false,
            reshard: false,
            stop_on_error: false,
            allow_refused: false,
        }
    }

    /// Drops the indexes of a model's collection that the model does not ask for. Other programs may need them.
    pub const fn drop_undeclared(self, drop_undeclared: bool) -> Self {
        ApplyOptions { drop_undeclared, ..self }
    }

    /// Drops and makes again the indexes whose options cannot be changed in place. Until one is built again, reads do
    /// without it and a unique one guards nothing.
    pub const fn rebuild(self, rebuild: bool) -> Self {
        ApplyOptions { rebuild, ..self }
    }

    /// Replaces validators that this crate did not write.
    pub const fn replace_validators(self, replace_validators: bool) -> Self {
        ApplyOptions { replace_validators, ..self }
    }

    /// Gives sharded collections another shard key where the one that they have does not begin it: all documents are written anew, in five
    /// minutes at least and with twice the storage meanwhile.
    pub const fn reshard(self, reshard: bool) -> Self {
        ApplyOptions { reshard, ..self }
    }

    /// Stops after the first step that fails or that the user has no right to do.
    pub const fn stop_on_error(self, stop_on_error: bool) -> Self {
        ApplyOptions { stop_on_error, ..self }
    }

    /// Sets a validator also where stored documents do not pass it, whose updates the server refuses from then on: each is to be changed first, by a
    /// write that makes it pass.
    pub const fn allow_refused(self, allow_refused: bool) -> Self {
        ApplyOptions { allow_refused, ..self }
    }

    fn allow(self, needs: Needs) -> bool {
        match needs {
            Needs::Nothing => true,
            Needs::DropUndeclared => self.drop_undeclared,
            Needs::Rebuild => self.rebuild,
            Needs::ReplaceValidators => self.replace_validators,
            Needs::Reshard => self.reshard,
            Needs::Decision => false,
        }
    }
}

impl Plan {
    /// Makes collections and indexes, and changes in place what can be. Drops nothing, rebuilds nothing, and replaces no
    /// validator of another's: [`apply_with`](Plan::apply_with) does, when asked to.
    ///
    /// A validator that stored documents do not pass is not set, where they could not be updated any more (`strict` and `error`): the step is a failure,
    /// [`Outcome::Refused`]. Change the documents and apply again, or say [`allow_refused`](ApplyOptions::allow_refused).
    ///
    /// Each step looks first whether it is done already, so a plan may be applied twice, and an apply that was interrupted
    /// is finished by planning and applying again. MongoDB has no transactions for this: what was done stays done. The indexes of one
    /// collection are built by one command, which reads the collection once; where one of them cannot be built, each gets its own. Every
    /// command is `w: majority`.
    ///
    /// # Errors
    /// None for a single step: the [`ApplyReport`] says what was not done and why, and [`ApplyReport::complete`] makes an error of
    /// it.
    pub fn apply<'a>(&'a self, database: &'a Database) -> BoxFuture<'a, Result<ApplyReport>> {
        self.apply_with(database, ApplyOptions::new())
    }

    /// The same with options.
    ///
    /// # Errors
    /// As [`apply`](Plan::apply).
    pub fn apply_with<'a>(
        &'a self,
        database: &'a Database,
        options: ApplyOptions,
    ) -> BoxFuture<'a, Result<ApplyReport>> {
        self.run(database, options).boxed()
    }

    async fn run(&self, database: &Database, options: ApplyOptions) -> Result<ApplyReport> {
        let mut report = ApplyReport::default();
        let mut stopped = false;
        let mut not_made = None;
        let mut together: (&str, Vec<&str>) = ("", Vec::new());
        for (at, step) in self.steps().iter().enumerate() {
            let outcome = if stopped || not_made == Some(&step.collection) {
                Outcome::NotReached
            } else if !options.allow(step.needs()) {
                Outcome::NotRequested(step.needs())
            } else {
                if let Change::CreateIndex { .. } = step.change
                    && together.0 != step.collection
                {
                    together = (&step.collection, run::create_together(&self.steps()[at..], database).await);
                }
                match &step.change {
                    Change::CreateIndex { index, .. } if together.1.contains(&&*index.name) => Outcome::Done,
                    _ => run::run(step, self.model(step), database, options.allow_refused).await,
                }
            };
            match &outcome {
                Outcome::Done => tracing::info!(%step, "done"),
                Outcome::AlreadyDone => tracing::debug!(%step, "already done"),
                Outcome::NotRequested(needs) => tracing::info!(%step, ?needs, "not requested"),
                Outcome::NotReached => tracing::warn!(%step, "not reached"),
                Outcome::Denied { action } => tracing::warn!(%step, action, "no right to do this"),
                Outcome::Refused { documents } => tracing::warn!(%step, documents, "stored documents do not pass"),
                Outcome::Failed(error) => tracing::warn!(%step, %error, "failed"),
            }
            if outcome.is_failure() {
                if matches!(step.change, Change::CreateCollection { .. }) {
                    not_made = Some(&step.collection);
                }
                stopped = stopped || options.stop_on_error || run::is_connection_lost(&outcome);
            }
            report.push(step.clone(), outcome);
        }
        Ok(report)
    }
}
