//! Writes a sharding step as text. Pure.

use std::fmt;

use mongodb::bson::Document;

use super::{ShardKeyValues, Sharding, ShardingKind};
use crate::report::counted;

impl fmt::Display for Sharding {
    /// Writes the step on a single line.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, unique) = (words(&self.key), if self.unique { ", unique" } else { "" });
        match &self.kind {
            ShardingKind::Shard => write!(formatter, "shard key {key}{unique}"),
            ShardingKind::Refine { old } => {
                write!(formatter, "shard key {} is refined to {key}: no document moves", words(old))
            }
            ShardingKind::Reshard { old } => write!(
                formatter,
                "shard key {} becomes {key}: all documents are written anew, in five minutes at least and with twice the storage",
                words(old)
            ),
        }
    }
}

impl Sharding {
    /// Returns further facts about the step, a line each.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self
            .conflicts
            .iter()
            .map(|index| {
                format!(
                    "the unique index {index} does not begin with the shard key: the server would refuse the key; drop \
                     the index, and plan again"
                )
            })
            .collect();
        match &self.values {
            None => lines
                .push("the values of the shard key were not counted: the user may not read the documents".to_owned()),
            Some(values) => lines.extend(values.lines()),
        }
        lines
    }
}

impl ShardKeyValues {
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.arrays > 0 {
            lines.push(format!(
                "{} an array in the shard key: the server would refuse the key and the index of the key; remove the \
                 arrays, drop the index, and plan again",
                counted(self.arrays, "document has", "documents have")
            ));
        }
        if self.absent > 0 {
            lines.push(format!(
                "{} a field of the shard key, or hold null: a missing field is stored like null",
                counted(self.absent, "document lacks", "documents lack")
            ));
        }
        // A tenth of the data in a single chunk is no balance.
        if self.documents > 1 && self.most_frequent > 1 && self.most_frequent * 10 >= self.documents {
            lines.push(format!(
                "{} of {} have the most frequent value of the shard key: the documents stay in a single chunk",
                self.most_frequent,
                counted(self.documents, "document", "documents")
            ));
        }
        lines
    }
}

/// Returns a shard key as text: `{host: 1, _id: hashed}`.
pub(crate) fn words(key: &Document) -> String {
    let fields: Vec<String> = key
        .iter()
        .map(|(name, kind)| match kind.as_str() {
            Some(kind) => format!("{name}: {kind}"),
            None => format!("{name}: 1"),
        })
        .collect();
    format!("{{{}}}", fields.join(", "))
}
