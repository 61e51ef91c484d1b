//! The parts of a plan, as data. No I/O.

use mongodb::bson::Document;

use crate::manage::{
    indexes::Index,
    sharding::{Sharding, ShardingKind},
};

/// One change of one collection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// The collection.
    pub collection: String,
    /// The struct of the model that asks for it.
    pub model: &'static str,
    /// What changes.
    pub change: Change,
}

/// What changes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// The collection is made, with its validator.
    CreateCollection {
        /// The validator.
        validator: Validator,
    },
    /// The collection gets another validator, level or action, by `collMod`.
    SetValidator {
        /// What it has now.
        old: Option<Validator>,
        /// What it gets.
        new: Validator,
        /// Whether the old one was written by somebody else, and says something else.
        foreign: bool,
        /// How many documents the new one would refuse; `None` when the user may not read them. They stay as they are,
        /// and a later write of one is judged as the level says.
        refused: Option<u64>,
    },
    /// An index is made.
    CreateIndex {
        /// The index.
        index: Index,
        /// What keeps a unique index from being built; `None` when it is not unique, or the user may not read.
        duplicates: Option<Duplicates>,
    },
    /// An index gets another time to live, or becomes unique, by `collMod`. It keeps its name.
    ChangeIndex {
        /// What it is now.
        old: Index,
        /// What it becomes.
        new: Index,
        /// What keeps it from becoming unique.
        duplicates: Option<Duplicates>,
    },
    /// An index has options that `collMod` cannot change, and stands where a declared one with the same keys belongs: it is
    /// dropped and made again.
    RebuildIndex {
        /// What is dropped.
        old: Index,
        /// What is made in its place.
        new: Index,
        /// What keeps a unique index from being built; with any, nothing is dropped.
        duplicates: Option<Duplicates>,
    },
    /// An index that no model asks for is dropped.
    DropIndex {
        /// The index.
        index: Index,
    },
    /// The name of a declared index belongs to an index with other keys.
    IndexNameTaken {
        /// The index that has the name.
        old: Index,
        /// The index that cannot be made.
        new: Index,
        /// Whether a model asks for the old one too, so that it must stay.
        declared: bool,
        /// What keeps a unique index from being built; with any, nothing is dropped.
        duplicates: Option<Duplicates>,
    },
    /// The collection of a cluster gets its shard key.
    Shard(Sharding),
    /// The name of the collection belongs to something that cannot be a model's collection. None of it is touched.
    CollectionClash {
        /// What it is.
        clash: Clash,
    },
}

/// What has the name of a model's collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clash {
    /// A view, which stores nothing.
    View,
    /// A time series, which has other updates, deletes and indexes.
    TimeSeries,
    /// A capped collection, which deletes its oldest documents by itself.
    Capped,
    /// A collection with a collation, of a model with copies or rollups: whether a value has changed, and which document is referred to, is
    /// asked of the server, which would take `bolt` and `BOLT` for the same. A collation belongs to the queries and indexes that want it.
    Collation,
}

/// The option that a step needs before [`apply_with`](crate::plan::Plan::apply_with) does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Needs {
    /// Nothing: it adds to the database, or changes what this crate wrote.
    Nothing,
    /// [`ApplyOptions::drop_undeclared`](crate::apply::ApplyOptions::drop_undeclared).
    DropUndeclared,
    /// [`ApplyOptions::rebuild`](crate::apply::ApplyOptions::rebuild).
    Rebuild,
    /// [`ApplyOptions::replace_validators`](crate::apply::ApplyOptions::replace_validators).
    ReplaceValidators,
    /// [`ApplyOptions::reshard`](crate::apply::ApplyOptions::reshard).
    Reshard,
    /// Another definition, or another database: no option does it.
    Decision,
}

/// A collection's validator.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Validator {
    /// The condition that documents must meet: `{"$jsonSchema": {..}}`.
    pub rule: Document,
    /// Which writes it judges: `off`, `moderate` or `strict`.
    pub level: String,
    /// What the server does with a document that fails: `error` or `warn`; newer servers know more.
    pub action: String,
}

/// Documents with the same keys, where a unique index takes one.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Duplicates {
    /// How many keys two or more documents have.
    pub groups: u64,
    /// Some of these keys, at most three, by stored path. They are data: the plan's text leaves them out.
    pub sample: Vec<Document>,
}

/// What is worth knowing and no reason to change anything.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// A declared index is hidden: it costs writes and serves no read until it is shown again.
    HiddenIndex {
        /// The collection.
        collection: String,
        /// The name of the index.
        index: String,
    },
    /// A model declares a shard key, and the server is no cluster: the collection is as any other one, and its writes and reads carry the key
    /// all the same.
    NoCluster {
        /// The collection.
        collection: String,
    },
    /// The user may not read which collections are sharded (`find` on `config.collections`): nothing is planned for shard keys.
    ShardKeysUnknown,
    /// A collection is sharded, and its model declares no shard key.
    ShardKeyUndeclared {
        /// The collection.
        collection: String,
        /// The shard key that it has.
        key: String,
    },
    /// Stored documents do not pass the validator of a model whose copies or rollups this crate writes by itself: it is `moderate`
    /// until a plan finds that all pass.
    Moderate {
        /// The collection.
        collection: String,
        /// How many documents do not pass.
        documents: u64,
    },
}

impl Step {
    /// The option that it needs.
    pub fn needs(&self) -> Needs {
        match &self.change {
            Change::CreateCollection { .. }
            | Change::CreateIndex { .. }
            | Change::ChangeIndex { .. }
            | Change::SetValidator { foreign: false, .. } => Needs::Nothing,
            Change::SetValidator { foreign: true, .. } => Needs::ReplaceValidators,
            Change::RebuildIndex { .. } => Needs::Rebuild,
            Change::Shard(sharding) if sharding.is_refused() => Needs::Decision,
            Change::Shard(Sharding { kind: ShardingKind::Reshard { .. }, .. }) => Needs::Reshard,
            Change::Shard(_) => Needs::Nothing,
            Change::DropIndex { .. } | Change::IndexNameTaken { declared: false, .. } => Needs::DropUndeclared,
            Change::IndexNameTaken { declared: true, .. } | Change::CollectionClash { .. } => Needs::Decision,
        }
    }
}

impl Needs {
    /// The method of [`ApplyOptions`](crate::apply::ApplyOptions) that tells it; empty where none does.
    pub const fn option(self) -> &'static str {
        match self {
            Needs::Nothing | Needs::Decision => "",
            Needs::DropUndeclared => "drop_undeclared",
            Needs::Rebuild => "rebuild",
            Needs::ReplaceValidators => "replace_validators",
            Needs::Reshard => "reshard",
        }
    }
}
