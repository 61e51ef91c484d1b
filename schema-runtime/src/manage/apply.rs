//! Applies a plan, step by step, and reports the outcome of each step. `run` does a step, `report` keeps the outcomes.

mod report;
mod run;

use std::{ops::ControlFlow, time::Duration};

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::Database;

pub use report::{AppliedStep, ApplyReport, Outcome};

use crate::{
    error::Result,
    executor::refuse_preview,
    manage::plan::{Change, Index, Needs, Plan, Step},
};

/// The permissions of [`Plan::apply_with`] beyond adding. By default no further change is permitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApplyOptions {
    drop_undeclared: bool,
    hide_undeclared: bool,
    rebuild: bool,
    replace_validators: bool,
    reshard: bool,
    shrink: bool,
    convert: bool,
    stop_on_error: bool,
    allow_refused: bool,
    search_wait: Duration,
}

/// The longest wait for the build of a search index, unless the options say another.
const SEARCH_WAIT: Duration = Duration::from_secs(60);

impl Default for ApplyOptions {
    fn default() -> Self {
        ApplyOptions::new()
    }
}

impl ApplyOptions {
    /// Returns the default options: an apply adds missing objects, changes what `collMod` can change, and drops
    /// nothing.
    pub const fn new() -> Self {
        ApplyOptions {
            drop_undeclared: false,
            hide_undeclared: false,
            rebuild: false,
            replace_validators: false,
            reshard: false,
            shrink: false,
            convert: false,
            stop_on_error: false,
            allow_refused: false,
            search_wait: SEARCH_WAIT,
        }
    }

    /// Drops the indexes of a model's collection that the model does not declare. Other programs may need these
    /// indexes.
    pub const fn drop_undeclared(self, drop_undeclared: bool) -> Self {
        ApplyOptions { drop_undeclared, ..self }
    }

    /// Hides the indexes of a model's collection that the model does not declare, as a test before a drop: the server
    /// keeps a hidden index up to date, and no read uses a hidden index. If reads become slow, show the index again.
    /// Hidden indexes stay. With [`drop_undeclared`](Self::drop_undeclared), an apply hides the visible indexes and
    /// drops the indexes that are hidden already.
    pub const fn hide_undeclared(self, hide_undeclared: bool) -> Self {
        ApplyOptions { hide_undeclared, ..self }
    }

    /// Drops and makes again the indexes with options that cannot be changed in place. Until an index is built again,
    /// reads do without the index, and a unique index guards nothing.
    pub const fn rebuild(self, rebuild: bool) -> Self {
        ApplyOptions { rebuild, ..self }
    }

    /// Replaces validators that this crate did not write.
    pub const fn replace_validators(self, replace_validators: bool) -> Self {
        ApplyOptions { replace_validators, ..self }
    }

    /// Gives a sharded collection another shard key when the current shard key is no prefix of the new key. All
    /// documents are written anew, in five minutes at least and with twice the storage meanwhile.
    pub const fn reshard(self, reshard: bool) -> Self {
        ApplyOptions { reshard, ..self }
    }

    /// Makes capped collections smaller, and takes images away. The next insert deletes the oldest documents that have
    /// no place, and stored images are deleted.
    pub const fn shrink(self, shrink: bool) -> Self {
        ApplyOptions { shrink, ..self }
    }

    /// Makes plain collections capped. The server locks the collection, writes the documents anew, deletes the oldest
    /// documents that have no place, and drops all indexes but the index of `_id`; the step makes the indexes again.
    pub const fn convert(self, convert: bool) -> Self {
        ApplyOptions { convert, ..self }
    }

    /// Stops after the first step that fails or that the user has no right to do.
    pub const fn stop_on_error(self, stop_on_error: bool) -> Self {
        ApplyOptions { stop_on_error, ..self }
    }

    /// Sets a validator even when stored documents do not pass. From then on the server refuses updates of the failing
    /// documents: each document must first be changed by a write that makes the document pass.
    pub const fn allow_refused(self, allow_refused: bool) -> Self {
        ApplyOptions { allow_refused, ..self }
    }

    /// Sets how long a step waits until the server has built a search index: a minute by default. A step whose index is
    /// not ready then is a failure, [`SearchError::NotReady`](crate::SearchError::NotReady), and the server goes on.
    /// With [`Duration::ZERO`], a step ends when the server has the definition.
    pub const fn search_wait(self, search_wait: Duration) -> Self {
        ApplyOptions { search_wait, ..self }
    }

    fn allow(self, needs: Needs) -> bool {
        match needs {
            Needs::Nothing => true,
            Needs::DropUndeclared => self.drop_undeclared,
            Needs::Rebuild => self.rebuild,
            Needs::ReplaceValidators => self.replace_validators,
            Needs::Reshard => self.reshard,
            Needs::Shrink => self.shrink,
            Needs::Convert => self.convert,
            Needs::Decision => false,
        }
    }
}

impl ApplyOptions {
    /// Returns whether an apply with these options does a step, or hides the index of the step.
    pub fn permit(self, step: &Step) -> bool {
        self.allow(step.needs()) || self.hide_undeclared && hiding(step).is_some()
    }

    /// Returns whether an apply with these options drops an undeclared index by a step, or loses documents or images.
    pub fn loses(self, step: &Step) -> bool {
        let is_hidden = self.hide_undeclared && hiding(step).is_some();
        let loses = matches!(step.needs(), Needs::DropUndeclared | Needs::Shrink | Needs::Convert);
        loses && !is_hidden && self.allow(step.needs())
    }
}

/// Returns the step that hides the undeclared index of a step; `None` for another step, and for a hidden index.
fn hiding(step: &Step) -> Option<Step> {
    let Change::DropIndex { index, .. } = &step.change else { return None };
    let new = Index { hidden: true, ..index.clone() };
    let change = Change::ChangeIndex { old: index.clone(), new, duplicates: None };
    (!index.hidden).then(|| Step { change, ..step.clone() })
}

impl Plan {
    /// Makes collections and indexes, and changes in place where possible. Drops nothing, rebuilds nothing, and
    /// replaces no validator of another program; [`apply_with`](Plan::apply_with) does so on request.
    ///
    /// A validator is not set when stored documents do not pass and could not be updated any more (`strict` and
    /// `error`): the step is a failure, [`Outcome::Refused`]. Change the documents and apply again, or set
    /// [`allow_refused`](ApplyOptions::allow_refused).
    ///
    /// Each step first checks whether the change is done already. A plan may therefore be applied twice, and an
    /// interrupted apply is finished by planning and applying again. MongoDB has no transactions for changes of
    /// collections and indexes: a finished step stays done. A single command builds the indexes of a collection and
    /// reads the collection once; when any index cannot be built, each index gets a separate command. Every command is
    /// `w: majority`.
    ///
    /// # Errors
    /// None for a single step. The [`ApplyReport`] lists the steps that were not done with the reasons, and
    /// [`ApplyReport::complete`] turns the list into an error.
    pub fn apply<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<ApplyReport>> {
        self.apply_with(db, ApplyOptions::new())
    }

    /// Applies the plan with options; see [`apply`](Plan::apply).
    ///
    /// # Errors
    /// As [`apply`](Plan::apply).
    pub fn apply_with<'a>(&'a self, db: &'a Database, options: ApplyOptions) -> BoxFuture<'a, Result<ApplyReport>> {
        async move { self.run(db, options, &mut |_, _| ControlFlow::Continue(())).await }.boxed()
    }

    /// Applies the plan with options, and calls `watch` before each step that the options permit, with the position of
    /// the step in [`steps`](Plan::steps). For progress, and for an end between two steps: after `Break` the steps that
    /// are left are [`Outcome::NotReached`].
    ///
    /// # Errors
    /// As [`apply`](Plan::apply).
    pub fn apply_watched<'a>(
        &'a self,
        db: &'a Database,
        options: ApplyOptions,
        watch: &'a mut (dyn FnMut(usize, &Step) -> ControlFlow<()> + Send),
    ) -> BoxFuture<'a, Result<ApplyReport>> {
        self.run(db, options, watch).boxed()
    }

    /// Returns the report that [`apply_with`](Plan::apply_with) would give, and changes nothing. Counts the documents
    /// that a new validator would refuse, as an apply does.
    ///
    /// # Errors
    /// None for a single step, as [`apply`](Plan::apply).
    pub fn dry_run<'a>(&'a self, db: &'a Database, options: ApplyOptions) -> BoxFuture<'a, Result<ApplyReport>> {
        let tried = async move {
            let mut report = ApplyReport::default();
            for step in self.steps() {
                let outcome = if options.hide_undeclared && hiding(step).is_some() {
                    Outcome::Hidden
                } else if !options.allow(step.needs()) {
                    Outcome::NotRequested(step.needs())
                } else {
                    run::foresee(step, self.model(step), db, options).await
                };
                report.push(step.clone(), outcome);
            }
            Ok(report)
        };
        tried.boxed()
    }

    /// Makes the collections that do not exist.
    pub(crate) async fn create(&self, db: &Database) -> Result<()> {
        let options = ApplyOptions::new().stop_on_error(true);
        self.of_missing_collections().run(db, options, &mut |_, _| ControlFlow::Continue(())).await?.complete()?;
        Ok(())
    }

    async fn run(
        &self,
        db: &Database,
        options: ApplyOptions,
        watch: &mut (dyn FnMut(usize, &Step) -> ControlFlow<()> + Send),
    ) -> Result<ApplyReport> {
        refuse_preview()?;
        let mut report = ApplyReport::default();
        let mut stopped = false;
        let mut not_made = None;
        let mut together: (&str, Vec<&str>) = ("", Vec::new());
        for (at, step) in self.steps().iter().enumerate() {
            let is_made = together.0 == step.collection
                && matches!(&step.change, Change::CreateIndex { index, .. } if together.1.contains(&&*index.name));
            if !stopped && !is_made && options.permit(step) {
                stopped = watch(at, step).is_break();
            }
            let outcome = if is_made {
                Outcome::Done
            } else if stopped || not_made == Some(&step.collection) {
                Outcome::NotReached
            } else if options.hide_undeclared
                && let Some(hiding) = hiding(step)
            {
                match run::run(&hiding, self.model(step), db, options).await {
                    Outcome::Done => Outcome::Hidden,
                    outcome => outcome,
                }
            } else if !options.allow(step.needs()) {
                Outcome::NotRequested(step.needs())
            } else {
                if let Change::CreateIndex { .. } = step.change
                    && together.0 != step.collection
                {
                    together =
                        (&step.collection, run::create_together(&self.steps()[at..], self.model(step), db).await);
                }
                match &step.change {
                    Change::CreateIndex { index, .. } if together.1.contains(&&*index.name) => Outcome::Done,
                    _ => run::run(step, self.model(step), db, options).await,
                }
            };
            match &outcome {
                Outcome::Done => tracing::info!(%step, "done"),
                Outcome::Hidden => tracing::info!(%step, "hidden"),
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
