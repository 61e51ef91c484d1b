//! What came of each step of a plan. Data and its text.

use std::fmt;

use crate::{
    error::{Error, Result},
    manage::plan::{Needs, Step},
    report::counted,
};

/// What an apply did, step by step.
#[derive(Debug, Default)]
pub struct ApplyReport {
    entries: Vec<AppliedStep>,
}

/// A step and what came of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct AppliedStep {
    /// The step.
    pub step: Step,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a step.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// It was done.
    Done,
    /// It had been done since the plan was made.
    AlreadyDone,
    /// It was left out, because the options of the apply do not ask for such a thing.
    NotRequested(Needs),
    /// The user has no right to do it. Nothing was changed by it.
    Denied {
        /// The privilege that is missing, in MongoDB's words: `collMod`, `createIndex`.
        action: &'static str,
    },
    /// It was left undone, because stored documents that can be updated now could not be any more:
    /// [`ApplyOptions::allow_refused`](super::ApplyOptions::allow_refused) does it all the same.
    Refused {
        /// How many.
        documents: u64,
    },
    /// It failed.
    Failed(Error),
    /// It was not tried: its collection could not be made, the apply was to stop at the first error, or the server was
    /// gone.
    NotReached,
}

impl Outcome {
    /// Whether the step should have been done and was not.
    pub fn is_failure(&self) -> bool {
        matches!(self, Outcome::Denied { .. } | Outcome::Refused { .. } | Outcome::Failed(_) | Outcome::NotReached)
    }
}

impl ApplyReport {
    pub(super) fn push(&mut self, step: Step, outcome: Outcome) {
        self.entries.push(AppliedStep { step, outcome });
    }

    /// All steps of the plan, in order.
    pub fn entries(&self) -> &[AppliedStep] {
        &self.entries
    }

    /// The steps that changed the database.
    pub fn done(&self) -> impl Iterator<Item = &Step> {
        self.entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Done)).map(|entry| &entry.step)
    }

    /// The steps that should have been done and were not: no right, documents that do not pass, an error, or not reached.
    pub fn failures(&self) -> impl Iterator<Item = &AppliedStep> {
        self.entries.iter().filter(|entry| entry.outcome.is_failure())
    }

    /// The report, if all was done that was to be done. Steps that an option must ask for are not among them.
    ///
    /// # Errors
    /// [`ApplyIncomplete`](Error::ApplyIncomplete) with the reason of each step that was not done.
    pub fn complete(self) -> Result<ApplyReport> {
        let reasons: Vec<String> = self.failures().map(AppliedStep::to_string).collect();
        if reasons.is_empty() { Ok(self) } else { Err(Error::ApplyIncomplete { steps: reasons.len(), reasons }) }
    }
}

impl fmt::Display for ApplyReport {
    /// One line for each step.
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
            Outcome::AlreadyDone => write!(formatter, "already done: {step}"),
            Outcome::NotRequested(Needs::Decision) => write!(formatter, "left as it is: {step}"),
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
