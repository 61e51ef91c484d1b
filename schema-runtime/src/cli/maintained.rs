//! The report of a command that maintains derived data, as text and as JSON.

use mongodb::bson::Bson;
use serde_json::{Value, json};

use super::{exit::Exit, failure::in_words, session::Report};
use crate::{MaintenanceEntry, MaintenanceReport};

/// The argument that lets JSON hold values of documents.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ValuesArgument {
    /// Write each `_id` into the JSON; without the flag, only an ObjectId
    #[arg(long)]
    values: bool,
}

impl ValuesArgument {
    /// Returns an `_id` for the JSON; null for an `_id` that may be personal data.
    pub(super) fn id(self, id: &Bson) -> Value {
        match id {
            Bson::ObjectId(id) => id.to_hex().into(),
            Bson::String(id) if self.values => id.clone().into(),
            id if self.values => id.to_string().into(),
            _ => Value::Null,
        }
    }

    /// Returns an entry as JSON.
    pub(super) fn entry(self, entry: &MaintenanceEntry) -> Value {
        let examples = entry.examples.iter().map(|example| {
            json!({ "id": self.id(&example.id), "related": example.related.as_ref().map(|related| self.id(related)) })
        });
        json!({
            "kind": in_words(&format!("{:?}", entry.kind)),
            "model": entry.model,
            "path": entry.path,
            "read": entry.read,
            "found": entry.found,
            "documents": entry.documents,
            "written": entry.written,
            "refused": entry.refused,
            "examples": examples.collect::<Vec<_>>(),
        })
    }
}

/// The report of a command that maintains derived data.
pub(super) struct Maintained {
    pub(super) database: String,
    pub(super) report: MaintenanceReport,
    /// The begin of each line of a dry run, as `would repair`; `None` for a run that writes.
    pub(super) would: Option<&'static str>,
    pub(super) values: ValuesArgument,
}

impl Report for Maintained {
    fn exit(&self) -> Exit {
        match self.would {
            Some(_) if !self.report.is_empty() => Exit::Pending,
            None if self.report.entries().iter().any(MaintenanceEntry::is_left) => Exit::Findings,
            _ => Exit::Done,
        }
    }

    fn text(&self) -> String {
        match self.would {
            Some(would) if !self.report.is_empty() => {
                let lines = self.report.entries().iter().map(|entry| format!("{would}: {entry}"));
                lines.collect::<Vec<_>>().join("\n")
            }
            _ => self.report.to_string(),
        }
    }

    fn json(&self) -> Value {
        let entries = self.report.entries().iter().map(|entry| self.values.entry(entry));
        json!({
            "database": self.database,
            "dry_run": self.would.is_some(),
            "entries": entries.collect::<Vec<_>>(),
        })
    }
}
