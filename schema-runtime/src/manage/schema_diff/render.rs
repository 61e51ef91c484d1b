//! Writes the changes between two schema files as text, as JSON, and as annotations of GitHub.

mod annotations;

use std::fmt;

use serde::Serialize;

use super::{ChangeKind, DeployLevel, SchemaChange, SchemaDiff};
use crate::report::lines;

/// The version of the JSON of a diff.
const FORMAT: u32 = 1;

impl SchemaDiff {
    /// Returns the diff as one JSON document: the format, the level, and the changes with effects.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Report<'a> {
            format: u32,
            level: DeployLevel,
            changes: &'a [SchemaChange],
        }
        let report = Report { format: FORMAT, level: self.level(), changes: &self.changes };
        serde_json::to_string_pretty(&report).expect("texts, numbers and lists are JSON")
    }
}

impl fmt::Display for SchemaDiff {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return formatter.write_str("no changes");
        }
        let mut text: Vec<String> = Vec::new();
        let mut collection = "";
        for change in &self.changes {
            if change.collection != collection {
                collection = &change.collection;
                text.push(collection.to_owned());
            }
            text.push(format!("  {change}"));
            text.extend(change.effects.iter().map(|effect| format!("      {effect}: {}", effect.remedy())));
        }
        lines(formatter, text)
    }
}

impl fmt::Display for SchemaChange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.change {
            ChangeKind::Added => '+',
            ChangeKind::Removed => '-',
            ChangeKind::Changed => '~',
        };
        write!(formatter, "{sign} {} ({}): {}", self.place, self.summary, self.level().word())
    }
}
