//! Writes a step of a search index as text. Pure.

use std::fmt;

use mongodb::bson::Bson;

use super::SearchChange;
use crate::{
    indexes::{SearchIndex, search::VECTOR},
    mongosh::literal,
};

impl SearchChange {
    pub(crate) fn sign(&self) -> char {
        match self {
            SearchChange::Create { .. } => '+',
            SearchChange::Update { .. } | SearchChange::Rebuild { .. } => '~',
            SearchChange::Drop { .. } => '-',
        }
    }

    /// Returns the lines below the first line of the step.
    pub(crate) fn lines(&self) -> Vec<String> {
        match self {
            SearchChange::Create { index } => vec![definition(index)],
            SearchChange::Update { old, new } | SearchChange::Rebuild { old, new } => {
                vec![format!("- {}", definition(old)), format!("+ {}", definition(new))]
            }
            SearchChange::Drop { .. } => Vec::new(),
        }
    }
}

impl fmt::Display for SearchChange {
    /// Writes the change on a single line.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchChange::Create { index } => write!(formatter, "{} {}", word(index), index.name),
            SearchChange::Update { new, .. } => write!(formatter, "{} {}", word(new), new.name),
            SearchChange::Rebuild { old, new } if old.kind == new.kind => {
                write!(
                    formatter,
                    "the build of the {} {} has failed: drop the index and create the index again",
                    word(new),
                    new.name
                )
            }
            SearchChange::Rebuild { old, new } => {
                write!(
                    formatter,
                    "{} {} becomes a {}: drop the index and create the index again",
                    word(old),
                    old.name,
                    word(new)
                )
            }
            SearchChange::Drop { index } => {
                write!(formatter, "{} {}, asked for by no model", word(index), index.name)
            }
        }
    }
}

fn word(index: &SearchIndex) -> &'static str {
    if index.kind == VECTOR { "vector index" } else { "search index" }
}

fn definition(index: &SearchIndex) -> String {
    json(&Bson::Document(index.definition.clone()))
}

/// Returns a definition as JSON on a single line.
pub(crate) fn json(value: &Bson) -> String {
    match value {
        Bson::Document(document) => {
            let members = document.iter().map(|(name, value)| format!("{}: {}", literal(name), json(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Bson::Array(list) => format!("[{}]", list.iter().map(json).collect::<Vec<_>>().join(", ")),
        Bson::String(text) => literal(text),
        other => other.to_string(),
    }
}
