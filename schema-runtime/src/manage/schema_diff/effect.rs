//! The effects of a change on a deploy, with the words for people.

use std::fmt;

use serde::Serialize;

use crate::report::counted;

/// An effect of a change while the earlier and the later version of an application run beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Effect {
    /// A write of a whole value by a version that does not have the field removes the field.
    WholeWritesDropField,
    /// Queries of the earlier version lose an index.
    OldQueriesLoseIndex,
    /// The plan changes the collection in place.
    InPlace,
    /// The server reads all documents of the collection and builds an index.
    IndexBuild {
        /// The number of documents, when a server was asked.
        documents: Option<u64>,
    },
    /// The plan does the change only with an option of [`ApplyOptions`](crate::apply::ApplyOptions).
    NeedsOption {
        /// The word for `--allow`: `rebuild`, `shrink`, `convert`, `reshard`, `drop-undeclared`.
        allow: &'static str,
    },
    /// Writes of the earlier version leave copies, links, trees or references behind, and a repair corrects the data.
    RepairAfterDeploy,
    /// Writes of the earlier version leave rollups behind, and `recompute` corrects the data.
    RecomputeAfterDeploy,
    /// Stored documents need a value or a correction before the plan is applied.
    Backfill,
    /// The server deletes documents.
    DeletesDocuments,
    /// The earlier version does not decode documents that the later version writes.
    OldReadersFail,
    /// The validator or a unique index of the later version refuses documents that the earlier version writes.
    OldWritersRefused,
    /// The later version does not decode stored documents, and documents that the earlier version writes.
    NewReadersFail,
    /// No plan does the change: a person decides.
    Decision,
}

/// The severity of a change, for exit codes and annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeployLevel {
    /// Both versions run, and no step is needed but a plan without an index build.
    Safe,
    /// Both versions run, and a step before or after the deploy is needed.
    NeedsStep,
    /// A version fails while both versions run, or data is lost, or a person decides.
    Breaks,
}

impl Effect {
    /// Returns the severity.
    pub fn level(&self) -> DeployLevel {
        match self {
            Effect::WholeWritesDropField | Effect::InPlace => DeployLevel::Safe,
            Effect::OldQueriesLoseIndex
            | Effect::IndexBuild { .. }
            | Effect::NeedsOption { .. }
            | Effect::RepairAfterDeploy
            | Effect::RecomputeAfterDeploy
            | Effect::Backfill => DeployLevel::NeedsStep,
            Effect::DeletesDocuments
            | Effect::OldReadersFail
            | Effect::OldWritersRefused
            | Effect::NewReadersFail
            | Effect::Decision => DeployLevel::Breaks,
        }
    }

    /// Returns the step that makes the change harmless.
    pub fn remedy(&self) -> &'static str {
        match self {
            Effect::WholeWritesDropField => "the earlier version updates single fields, or has `unknown_fields = keep`",
            Effect::OldQueriesLoseIndex => "drop the index after the last process of the earlier version has ended",
            Effect::InPlace => "`apply` changes the collection",
            Effect::IndexBuild { .. } => "`apply` before the deploy; writes go on during the build",
            Effect::NeedsOption { allow: "rebuild" } => {
                "`apply --allow rebuild` after the last process of the earlier version has ended: the index is \
                 dropped and built again"
            }
            Effect::NeedsOption { allow: "reshard" } => {
                "`apply --allow reshard`: the server writes all documents anew, for at least five minutes"
            }
            Effect::NeedsOption { allow: "convert" } => "`apply --allow convert`: the collection becomes capped",
            Effect::NeedsOption { allow: "shrink" } => "`apply --allow shrink`",
            Effect::NeedsOption { .. } => "`apply --allow drop-undeclared` drops the earlier index of the name",
            Effect::RepairAfterDeploy => {
                "run `recover` and `repair` after the last process of the earlier version has ended"
            }
            Effect::RecomputeAfterDeploy => {
                "run `recompute` after the last process of the earlier version has ended: parents without the value \
                 get the value, too"
            }
            Effect::Backfill => "correct the stored documents before `apply`; `plan` counts the documents",
            Effect::DeletesDocuments => "copy the documents that you need before `apply`",
            Effect::OldReadersFail => {
                "deploy a release first that reads both forms, and write the new form in the release after"
            }
            Effect::OldWritersRefused => "`apply` after the last process of the earlier version has ended",
            Effect::NewReadersFail => {
                "make the field an `Option` or give it `#[serde(default)]` in this release, fill the stored \
                 documents, and require the field in the release after"
            }
            Effect::Decision => "copy the data into a collection of the new form, or keep the earlier form",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Effect::WholeWritesDropField => "a whole write by the earlier version removes the field",
            Effect::OldQueriesLoseIndex => "queries of the earlier version lose the index",
            Effect::InPlace => "the server changes the collection in place",
            Effect::IndexBuild { documents: None } => "the server builds an index over all documents",
            Effect::IndexBuild { documents: Some(documents) } => {
                let documents = counted(*documents, "document", "documents");
                return write!(formatter, "the server builds an index over {documents}");
            }
            Effect::NeedsOption { allow } => return write!(formatter, "the plan does the change with `{allow}` only"),
            Effect::RepairAfterDeploy => "writes of the earlier version do not keep the derived data",
            Effect::RecomputeAfterDeploy => "writes of the earlier version do not keep the value of the children",
            Effect::Backfill => "stored documents need a correction",
            Effect::DeletesDocuments => "the server deletes documents",
            Effect::OldReadersFail => "the earlier version does not read documents of the later version",
            Effect::OldWritersRefused => "the server refuses writes of the earlier version",
            Effect::NewReadersFail => "the later version does not read documents of the earlier version",
            Effect::Decision => "no plan does the change",
        })
    }
}

impl DeployLevel {
    /// Returns the word for reports.
    pub fn word(self) -> &'static str {
        match self {
            DeployLevel::Safe => "safe",
            DeployLevel::NeedsStep => "needs a step",
            DeployLevel::Breaks => "breaks",
        }
    }
}
