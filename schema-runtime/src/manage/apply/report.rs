//! The outcome of each step of a plan. Data and text.

use std::fmt;

use crate::{
    error::{Error, Result},
    manage::plan::{Needs, Step},
    report::counted,
};

/// The report of an apply: each step with the outcome.
#[derive(Debug, Default)]
pub struct ApplyReport {
    entries: Vec<AppliedStep>,
}

/// A step and the outcome of the step.
#[derive(Debug)]
#[non_exhaustive]
pub struct AppliedStep {
    /// The step.
    pub step: Step,
    /// The outcome of the step.
    pub outcome: Outcome,
}

/// The outcome of a step.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The apply did the step.
    Done,
    /// The apply hid the index of the step, which no model declares, and did not drop the index.
    Hidden,
    /// The database already had the change, which was made after the plan.
    AlreadyDone,
    /// The step was left out, because the options of the apply do not allow the step.
    NotRequested(Needs),
    /// The user has no right to do the step. The step changed nothing.
    Denied {
        /// The missing privilege, in MongoDB's words: `collMod`, `createIndex`.
        action: &'static str,
    },
    /// The step was left undone, because the server would refuse updates of stored documents that can be updated now.
    /// [`ApplyOptions::allow_refused`](super::ApplyOptions::allow_refused) does the step all the same.
    Refused {
        /// The number of documents that the server would refuse to update.
        documents: u64,
    },
    /// The step failed with an error.
    Failed(Error),
    /// The step was not tried: the collection could not be made, the apply was to stop at the first error, or the
    /// connection to the server was lost.
    NotReached,
}

impl Outcome {
    /// Returns whether the step should have been done and was not.
    pub fn is_failure(&self) -> bool {
        matches!(self, Outcome::Denied { .. } | Outcome::Refused { .. } | Outcome::Failed(_) | Outcome::NotReached)
    }
}

impl ApplyReport {
    pub(super) fn push(&mut self, step: Step, outcome: Outcome) {
        self.entries.push(AppliedStep { step, outcome });
    }

    /// Returns all steps of the plan with the outcomes, in order.
    pub fn entries(&self) -> &[AppliedStep] {
        &self.entries
    }

    /// Returns the steps that changed the database.
    pub fn done(&self) -> impl Iterator<Item = &Step> {
        self.entries
            .iter()
            .filter(|entry| matches!(entry.outcome, Outcome::Done | Outcome::Hidden))
            .map(|entry| &entry.step)
    }

    /// Returns the steps that should have been done and were not: no right, documents that do not pass, an error, or
    /// not reached.
    pub fn failures(&self) -> impl Iterator<Item = &AppliedStep> {
        self.entries.iter().filter(|entry| entry.outcome.is_failure())
    }

    /// Returns the steps without which the database lacks a declared part: the failures, and the steps that wait for an
    /// option.
    pub fn undone(&self) -> impl Iterator<Item = &AppliedStep> {
        let is_undone = |entry: &AppliedStep| {
            let waits = matches!(entry.outcome, Outcome::NotRequested(_));
            entry.outcome.is_failure() || waits && !entry.step.takes_away()
        };
        self.entries.iter().filter(move |entry| is_undone(entry))
    }

    /// Returns the report if the database has all that the models declare. A step that waits for an option counts as
    /// undone, as the rebuild of a unique index. Only a step that [takes away](Step::takes_away) may wait, as the drop
    /// of an undeclared index.
    ///
    /// # Errors
    /// [`ApplyIncomplete`](Error::ApplyIncomplete) with the reason of each step that was not done.
    pub fn complete(self) -> Result<ApplyReport> {
        let reasons: Vec<String> = self.undone().map(AppliedStep::to_string).collect();
        if reasons.is_empty() { Ok(self) } else { Err(Error::ApplyIncomplete { steps: reasons.len(), reasons }) }
    }
}

impl fmt::Display for ApplyReport {
    /// Writes a line for each step.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.entries.is_empty() {
            writeln!(formatter, "nothing to change")?;
        }
        for entry in &self.entries {
            writeln!(formatter, "{entry}")?;
        }
        Ok(())
    }
}

impl fmt::Display for AppliedStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AppliedStep { step, outcome } = self;
        match outcome {
            Outcome::Done => write!(formatter, "done: {step}"),
            Outcome::Hidden => write!(formatter, "hidden: {step}"),
            Outcome::AlreadyDone => write!(formatter, "already done: {step}"),
            Outcome::NotRequested(Needs::Decision) => write!(formatter, "left unchanged: {step}"),
            Outcome::NotRequested(needs) => write!(formatter, "not requested (`{}`): {step}", needs.option()),
            Outcome::Denied { action } => write!(formatter, "no right to `{action}`: {step}"),
            Outcome::Refused { documents } => {
                let documents = counted(*documents, "stored document does", "stored documents do");
                write!(
                    formatter,
                    "not done: {step}: {documents} not pass, and could not be updated any more (`allow_refused`)"
                )
            }
            Outcome::Failed(error) => write!(formatter, "failed: {step}: {error}"),
            Outcome::NotReached => write!(formatter, "not reached: {step}"),
        }
    }
}
