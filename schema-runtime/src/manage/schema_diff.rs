//! The changes between two schema files, judged for a deploy: for some time the earlier and the later version of an
//! application run beside each other, and both count. `compare` finds the changes (pure), `effect` has the effects with
//! the words for people, `count` counts the documents of index builds, `render` writes text, JSON and annotations.

mod compare;
mod count;
mod effect;
mod render;

use std::fmt;

use mongodb::Database;
use serde::Serialize;

pub use effect::{DeployLevel, Effect};

use crate::{Result, Schema, manage::schema_file::SchemaFile};

/// The changes between two versions of a schema. Data: [`changes`](SchemaDiff::changes) for programs, `Display` for
/// people, [`to_json`](SchemaDiff::to_json) for tools.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SchemaDiff {
    changes: Vec<SchemaChange>,
}

/// One change, with the effects on a deploy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SchemaChange {
    /// The collection.
    pub collection: String,
    /// The part of the model that changes.
    #[serde(flatten)]
    pub place: ChangePlace,
    /// The kind of the change.
    pub change: ChangeKind,
    /// The change in words: `int, required`, `max_len 100 -> 200`.
    pub summary: String,
    /// The effects, the most serious effect first; empty for a safe change.
    pub effects: Vec<Effect>,
}

/// The part of a model that a change concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "place", content = "name", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChangePlace {
    /// The collection itself, with its options.
    Collection,
    /// The field of this stored path; a field of a variant has the name of the variant in front: `Circle: radius`.
    Field(String),
    /// The index of this name.
    Index(String),
    /// The search index or the vector index of this name.
    SearchIndex(String),
    /// The declared query of this name.
    Query(String),
    /// The shard key.
    ShardKey,
    /// The rules about several fields.
    Rules,
    /// The silenced rule of this id.
    SilencedRule(String),
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The later version has the part, the earlier version has not.
    Added,
    /// The earlier version has the part, the later version has not.
    Removed,
    /// Both versions have the part, in different forms.
    Changed,
}

impl SchemaDiff {
    /// Compares two schema files: the file of the version that runs, and the file of the version to deploy.
    pub fn between(earlier: &SchemaFile, later: &SchemaFile) -> Self {
        SchemaDiff { changes: compare::compare(earlier, later) }
    }

    /// Returns the changes in the order of the collections.
    pub fn changes(&self) -> &[SchemaChange] {
        &self.changes
    }

    /// Returns whether both files state the same schema.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the level of the most serious effect.
    pub fn level(&self) -> DeployLevel {
        self.changes.iter().map(SchemaChange::level).max().unwrap_or(DeployLevel::Safe)
    }

    /// Counts the documents that each index build reads, by the counts that the server keeps. Sends one command for
    /// each collection of the schema with a build.
    ///
    /// # Errors
    /// Errors of the driver.
    pub async fn count_documents(&mut self, schema: &Schema, db: &Database) -> Result<()> {
        count::count_documents(&mut self.changes, schema.models(), db).await
    }
}

impl SchemaChange {
    /// Returns the level of the most serious effect.
    pub fn level(&self) -> DeployLevel {
        self.effects.iter().map(Effect::level).max().unwrap_or(DeployLevel::Safe)
    }
}

impl fmt::Display for ChangePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChangePlace::Collection => formatter.write_str("collection"),
            ChangePlace::Field(path) => write!(formatter, "field `{path}`"),
            ChangePlace::Index(name) => write!(formatter, "index `{name}`"),
            ChangePlace::SearchIndex(name) => write!(formatter, "search index `{name}`"),
            ChangePlace::Query(name) => write!(formatter, "query `{name}`"),
            ChangePlace::ShardKey => formatter.write_str("shard key"),
            ChangePlace::Rules => formatter.write_str("rules about several fields"),
            ChangePlace::SilencedRule(rule) => write!(formatter, "silenced rule `{rule}`"),
        }
    }
}
