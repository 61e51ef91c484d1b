//! Finds faults in the documents of a database that no validator can see, or has not seen yet. Each kind of finding has
//! a file. Reads only, in bounded memory.

mod array_near_bound;
mod dangling_reference;
mod fan_out_exceeded;
mod sequence_behind;

use std::fmt;

use mongodb::bson::Document;

pub(crate) use array_near_bound::longest;
pub use array_near_bound::{ArrayNearBound, LargeArray, LongestArray};
pub use dangling_reference::{DanglingExample, DanglingReference};
pub use fan_out_exceeded::{FanOutExceeded, WideSource};
pub use sequence_behind::SequenceBehind;

use super::{kinds::KINDS, recover};
use crate::{
    definition::ModelDefinition,
    derived::maintenance::{MaintenanceEntry, Task, find},
    error::Result,
    executor::Context,
    report::lines,
};

/// The most example documents of a finding.
const EXAMPLES: usize = 5;

/// The report of [`Schema::verify`](crate::Schema::verify). Data: [`findings`](VerifyReport::findings) for programs,
/// `Display` for people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerifyReport {
    findings: Vec<Finding>,
    pending: Vec<MaintenanceEntry>,
}

/// A fault, present or near.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// References to documents that do not exist.
    DanglingReference(DanglingReference),
    /// Arrays or maps over the bound or near the bound.
    ArrayNearBound(ArrayNearBound),
    /// Sources with more holders than the `fan_out` declares.
    FanOutExceeded(FanOutExceeded),
    /// Numbers that a sequence has not given yet.
    SequenceBehind(SequenceBehind),
    /// Wrong derived data.
    Derived(MaintenanceEntry),
}

impl VerifyReport {
    /// Returns the findings: by model in the order of the schema, then wrong derived data by kind.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the findings of wrong derived data.
    pub fn derived(&self) -> impl Iterator<Item = &MaintenanceEntry> {
        self.findings.iter().filter_map(|finding| match finding {
            Finding::Derived(entry) => Some(entry),
            _ => None,
        })
    }

    /// Returns the work that is on the way, or that a stopped client has left behind, by model: copies, rollups,
    /// deletes and inserts under delete rules, moves in trees. Pending work is no finding, since a healthy writer has
    /// some.
    pub fn pending(&self) -> &[MaintenanceEntry] {
        &self.pending
    }

    /// Returns whether nothing was found, and no pending work can leave data wrong until
    /// [`recover`](crate::Schema::recover) has run. Copies that are marked in the holders alone do not count: a client
    /// has not checked the copies again yet.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty() && !self.pending.iter().any(|pending| pending.kind.may_be_wrong())
    }
}

impl fmt::Display for VerifyReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.findings.is_empty(), self.pending.is_empty()) {
            (true, true) => formatter.write_str("nothing found")?,
            (true, false) => formatter.write_str("nothing found except pending work")?,
            (false, _) => lines(formatter, &self.findings)?,
        }
        for pending in &self.pending {
            write!(formatter, "\n{pending}: `recover` completes the work")?;
        }
        Ok(())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::DanglingReference(found) => found.fmt(formatter),
            Finding::ArrayNearBound(found) => found.fmt(formatter),
            Finding::FanOutExceeded(found) => found.fmt(formatter),
            Finding::SequenceBehind(found) => found.fmt(formatter),
            Finding::Derived(found) => found.fmt(formatter),
        }
    }
}

/// Reads every document of the given models and returns the faults.
pub(crate) async fn verify(models: &[&'static ModelDefinition], context: &Context) -> Result<VerifyReport> {
    let mut findings = Vec::new();
    for model in models {
        let dangling = dangling_reference::find(model, context).await?;
        findings.extend(dangling.into_iter().map(Finding::DanglingReference));
        let large = array_near_bound::find(model, context).await?;
        findings.extend(large.into_iter().map(Finding::ArrayNearBound));
        let exceeded = fan_out_exceeded::find(model, context).await?;
        findings.extend(exceeded.into_iter().map(Finding::FanOutExceeded));
        let behind = sequence_behind::find(model, context).await?;
        findings.extend(behind.into_iter().map(Finding::SequenceBehind));
    }
    for kind in KINDS {
        for mut place in kind.places(models, Task::Verify) {
            findings.extend(find(&mut *place, context).await?.into_iter().map(Finding::Derived));
        }
    }
    let pending = recover::pending(models, context).await?.entries().to_vec();
    Ok(VerifyReport { findings, pending })
}

/// Returns a projection of `_id` and the given fields.
fn only<'a>(fields: impl IntoIterator<Item = &'a str>) -> Document {
    let mut projection = Document::new();
    projection.insert("_id", 1);
    for field in fields {
        projection.insert(field, 1);
    }
    projection
}
