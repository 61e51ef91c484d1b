//! How collections of a cluster come to the shard keys that models declare. `cluster` reads what a cluster knows, `diff` compares (pure),
//! `count` asks what values the key has in stored documents, `run` does a step, `render` writes it as text,
//! `judge` says how good a key is for the documents that are there.

mod cluster;
mod count;
mod diff;
mod judge;
mod render;
mod run;

use mongodb::bson::{Bson, Document};

pub(crate) use cluster::{Cluster, inspect};
pub(crate) use count::fill;
pub(crate) use diff::{Compared, compare};
pub(crate) use judge::judge;
pub use judge::{ShardKeyFinding, ShardKeyJudgement};
pub(crate) use render::words;
pub(crate) use run::run;

use crate::definition::{ModelDefinition, ShardKeyDefinition};

/// How a collection comes to its shard key.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sharding {
    /// From what.
    pub kind: ShardingKind,
    /// The shard key that it gets, as the server spells it.
    pub key: Document,
    /// Whether two documents may not have the same key.
    pub unique: bool,
    /// The names of unique indexes that do not begin with the key. A server takes them, and then refuses to shard, to refine or to reshard,
    /// reshard after minutes: with any, nothing is done.
    pub conflicts: Vec<String>,
    /// What values the key has in the documents that are stored; `None` when the user may not read them.
    pub values: Option<ShardKeyValues>,
}

/// From what a collection comes to its shard key.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShardingKind {
    /// It is on one shard: `shardCollection`.
    Shard,
    /// Its shard key begins the new one: `refineCollectionShardKey`, which moves nothing.
    Refine {
        /// The shard key that it has.
        old: Document,
    },
    /// It has another shard key: `reshardCollection`, which writes all documents anew. It takes five minutes at least and needs twice the
    /// storage while it runs.
    Reshard {
        /// The shard key that it has.
        old: Document,
    },
}

/// What values a shard key has in stored documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShardKeyValues {
    /// How many documents there are.
    pub documents: u64,
    /// How many lack a field of the key or hold null there: they are stored as if it were null.
    pub absent: u64,
    /// How many hold an array there: with any, the server refuses the key.
    pub arrays: u64,
    /// How many have the most frequent value: they stay in one chunk.
    pub most_frequent: u64,
}

impl Sharding {
    /// Whether the server would refuse it, as far as it is known.
    pub fn is_refused(&self) -> bool {
        !self.conflicts.is_empty() || self.values.is_some_and(|values| values.arrays > 0)
    }
}

/// The shard key of a model as the server spells it.
pub(crate) fn key_of(model: &ModelDefinition, key: &ShardKeyDefinition) -> Document {
    let fields = key.fields.iter().map(|field| {
        let kind = if field.hashed { Bson::from("hashed") } else { Bson::Int32(1) };
        (model.stored_path(field.path), kind)
    });
    fields.collect()
}
