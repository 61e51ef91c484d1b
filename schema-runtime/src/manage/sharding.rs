//! Gives the collections of a cluster the shard keys that models declare. `cluster` reads the state of a cluster,
//! `diff` compares (pure), `count` counts the values of the key in stored documents. `run` does a step, `render` writes
//! the step as text, and `judge` judges a key by the stored documents.

mod cluster;
mod count;
mod diff;
mod judge;
mod render;
mod run;

use mongodb::bson::{Bson, Document};

pub(crate) use cluster::{Cluster, inspect};
pub(crate) use count::fill;
#[cfg(feature = "schema-file")]
pub(crate) use diff::kind;
pub(crate) use diff::{Compared, compare};
pub(crate) use judge::judge;
pub use judge::{ShardKeyFinding, ShardKeyJudgement};
pub(crate) use render::words;
pub(crate) use run::run;

use crate::definition::{ModelDefinition, ShardKeyDefinition};

/// The way in which a collection gets a shard key.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sharding {
    /// The kind of the step.
    pub kind: ShardingKind,
    /// The new shard key, in the notation of the server.
    pub key: Document,
    /// True when two documents may not have the same key.
    pub unique: bool,
    /// The names of unique indexes that do not begin with the key. A server accepts the indexes, and then refuses to
    /// shard, to refine or to reshard; to reshard only after minutes. With any conflict, nothing is done.
    pub conflicts: Vec<String>,
    /// The values of the key in the stored documents; `None` when the user may not read the documents.
    pub values: Option<ShardKeyValues>,
}

/// The kind of a sharding step, by the current shard key of the collection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShardingKind {
    /// The collection is on a single shard: `shardCollection`.
    Shard,
    /// The current shard key is a prefix of the new key: `refineCollectionShardKey`, which moves nothing.
    Refine {
        /// The current shard key.
        old: Document,
    },
    /// The collection has another shard key: `reshardCollection`, which writes all documents anew. The command takes
    /// five minutes at least and needs twice the storage meanwhile.
    Reshard {
        /// The current shard key.
        old: Document,
    },
}

/// The values of a shard key in stored documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShardKeyValues {
    /// The number of documents.
    pub documents: u64,
    /// The number of documents that lack a field of the key or hold null in the field. The server stores a missing
    /// field like null.
    pub absent: u64,
    /// The number of documents that hold an array in a field of the key: with any array, the server refuses the key.
    pub arrays: u64,
    /// The number of documents with the most frequent value. The documents of a value stay in the same chunk.
    pub most_frequent: u64,
}

impl Sharding {
    /// Returns whether the server would refuse the step, as far as is known.
    pub fn is_refused(&self) -> bool {
        !self.conflicts.is_empty() || self.values.is_some_and(|values| values.arrays > 0)
    }
}

/// Returns the shard key of a model in the notation of the server.
pub(crate) fn key_of(model: &ModelDefinition, key: &ShardKeyDefinition) -> Document {
    let fields = key.fields.iter().map(|field| {
        let kind = if field.hashed { Bson::from("hashed") } else { Bson::Int32(1) };
        (model.stored_path(field.path), kind)
    });
    fields.collect()
}
