//! The parts of a plan, as data. No I/O.

use mongodb::bson::{DateTime, Document};

use crate::{
    indexes::Index,
    manage::{
        search::SearchChange,
        sharding::{Sharding, ShardingKind},
    },
};

/// A single change of a collection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// The collection.
    pub collection: String,
    /// The struct of the model that asks for the change.
    pub model: &'static str,
    /// The change of the collection.
    pub change: Change,
}

/// A change of a collection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// The collection is made, with the options and the validator.
    CreateCollection {
        /// The validator; `None` for a time series and for a view.
        validator: Option<Validator>,
        /// The further fields of the command `create`: the kind of the collection, images, the compression.
        options: Document,
    },
    /// An option of the collection changes by `collMod`.
    SetOption {
        /// The current option, as fields of `collMod`.
        old: Document,
        /// The option after the change, as fields of `collMod`.
        new: Document,
        /// True when stored data gets lost: a smaller capped collection loses the oldest documents at the next insert,
        /// and a collection without images loses the stored images.
        shrinks: bool,
    },
    /// A plain collection becomes capped, by `convertToCapped`. The command drops all indexes but the index of `_id`,
    /// and the oldest documents that have no place. The step makes the indexes again.
    ConvertToCapped {
        /// The most bytes of the collection.
        bytes: i64,
        /// The most documents of the collection; `None` for no limit.
        documents: Option<i64>,
        /// The indexes that the command drops and the step makes again.
        indexes: Vec<Index>,
        /// The indexes that the command drops and that a capped collection cannot have.
        lost: Vec<Index>,
    },
    /// The collection gets another validator, level or action, by `collMod`.
    SetValidator {
        /// The current validator.
        old: Option<Validator>,
        /// The new validator.
        new: Validator,
        /// True when another program wrote the old validator and the old rule differs from the new rule.
        foreign: bool,
        /// The number of documents that the new validator would refuse; `None` when the user may not read the
        /// documents. The documents stay as stored, and the level of the validator decides about later writes of these
        /// documents.
        refused: Option<u64>,
    },
    /// An index is made.
    CreateIndex {
        /// The index.
        index: Index,
        /// The duplicates that keep a unique index from being built; `None` when the index is not unique, or the user
        /// may not read the documents.
        duplicates: Option<Duplicates>,
    },
    /// An index is hidden or shown, gets another time to live, or becomes unique, by `collMod`. The index keeps the
    /// name.
    ChangeIndex {
        /// The current index.
        old: Index,
        /// The index after the change.
        new: Index,
        /// The duplicates that keep the index from becoming unique.
        duplicates: Option<Duplicates>,
    },
    /// An index has options that `collMod` cannot change, and takes the place of a declared index with the same keys.
    /// The index is dropped and made again.
    RebuildIndex {
        /// The index to drop.
        old: Index,
        /// The index to make in place of the old index.
        new: Index,
        /// The duplicates that keep a unique index from being built; with any duplicates, nothing is dropped.
        duplicates: Option<Duplicates>,
        /// The documents that the build reads, while the collection has no such index; `None` when the user may not
        /// read the size.
        size: Option<CollectionSize>,
    },
    /// An index that no model declares is dropped, or first hidden on request.
    DropIndex {
        /// The index.
        index: Index,
        /// The reads that used the index; `None` when the user may not read the use.
        used: Option<Used>,
    },
    /// The name of a declared index belongs to an index with different keys.
    IndexNameTaken {
        /// The index that has the name.
        old: Index,
        /// The index that cannot be made.
        new: Index,
        /// True when a model also declares the old index. The old index must then stay.
        declared: bool,
        /// The duplicates that keep a unique index from being built; with any duplicates, nothing is dropped.
        duplicates: Option<Duplicates>,
    },
    /// A collection of a cluster gets a shard key.
    Shard(Sharding),
    /// A search index or a vector index of MongoDB Atlas is made, changed or dropped.
    Search(SearchChange),
    /// The name of the collection belongs to an object that no model can use. The plan leaves the object alone.
    CollectionClash {
        /// The kind of the object.
        clash: Clash,
    },
}

/// The object that has the name of a model's collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clash {
    /// A view, without stored documents.
    View,
    /// A time series, with different updates, deletes and indexes.
    TimeSeries,
    /// A capped collection, with automatic deletes of the oldest documents.
    Capped,
    /// A plain collection, and the model declares a clustered collection, a time series or a view.
    Plain,
    /// A clustered collection, and the model declares another kind.
    Clustered,
    /// A time series with another time field or another meta field.
    TimeSeriesFields,
    /// A time series with a coarser granularity than the declared granularity, or with spans of its own.
    Granularity,
    /// A collection with another compression.
    Compression,
    /// A collection with another collation than the declared collation, or with a collation that a model with derived
    /// data does not declare. A collation is given when a collection is made.
    Collation,
}

/// The option that a step needs for [`apply_with`](crate::plan::Plan::apply_with) to do the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Needs {
    /// Nothing: the step adds to the database, or changes an object that this crate wrote.
    Nothing,
    /// [`ApplyOptions::drop_undeclared`](crate::apply::ApplyOptions::drop_undeclared). For a visible undeclared index,
    /// [`ApplyOptions::hide_undeclared`](crate::apply::ApplyOptions::hide_undeclared) hides the index.
    DropUndeclared,
    /// [`ApplyOptions::rebuild`](crate::apply::ApplyOptions::rebuild).
    Rebuild,
    /// [`ApplyOptions::replace_validators`](crate::apply::ApplyOptions::replace_validators).
    ReplaceValidators,
    /// [`ApplyOptions::reshard`](crate::apply::ApplyOptions::reshard).
    Reshard,
    /// [`ApplyOptions::shrink`](crate::apply::ApplyOptions::shrink).
    Shrink,
    /// [`ApplyOptions::convert`](crate::apply::ApplyOptions::convert).
    Convert,
    /// Another definition or another database: no option does the step.
    Decision,
}

/// A collection's validator.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Validator {
    /// The condition that documents must meet: `{"$jsonSchema": {..}}`.
    pub rule: Document,
    /// The kinds of writes that the validator judges: `off`, `moderate` or `strict`.
    pub level: String,
    /// The action of the server for a document that fails: `error` or `warn`; newer servers know more.
    pub action: String,
}

/// The size of a collection, as the metadata of the server estimates the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectionSize {
    /// The number of documents.
    pub documents: u64,
    /// The bytes of the documents, without compression.
    pub bytes: u64,
}

/// The use of an index, as the asked member of the server counts. Each start of the server begins a new count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Used {
    /// The number of operations that used the index.
    pub operations: u64,
    /// The begin of the count.
    pub since: DateTime,
}

/// Documents with the same keys, although a unique index takes a single document for each key.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Duplicates {
    /// The number of keys that two or more documents share.
    pub groups: u64,
    /// Some of these keys, at most three, by stored path. The keys are data; the plan's text leaves the keys out.
    pub sample: Vec<Document>,
}

/// A fact that is worth knowing and is no reason for a change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// An index is declared as hidden: the index costs writes and serves no read.
    HiddenIndex {
        /// The collection.
        collection: String,
        /// The name of the index.
        index: String,
    },
    /// A model declares a shard key, and the server is no cluster. The collection stays as is, and writes and reads
    /// carry the key all the same.
    NoCluster {
        /// The collection.
        collection: String,
    },
    /// The user may not read the list of sharded collections (`find` on `config.collections`): nothing is planned for
    /// shard keys.
    ShardKeysUnknown,
    /// A collection is sharded, and the model declares no shard key.
    ShardKeyUndeclared {
        /// The collection.
        collection: String,
        /// The shard key of the collection.
        key: String,
    },
    /// A model declares a search index or a vector index, and the server has no search: nothing is planned.
    SearchUnavailable {
        /// The collection.
        collection: String,
        /// The name of the index.
        index: String,
        /// The index as JSON, as an element of the command `createSearchIndexes`.
        definition: String,
    },
    /// The user may not list the search indexes of a collection (`listSearchIndexes`): nothing is planned for the
    /// search indexes.
    SearchIndexesUnknown {
        /// The collection.
        collection: String,
    },
    /// The server is building a search index: searches find nothing, or use the former definition.
    SearchIndexBuilding {
        /// The collection.
        collection: String,
        /// The name of the index.
        index: String,
    },
    /// The user may not read the use of indexes (`indexStats`): the plan does not know the use of undeclared indexes.
    IndexUseUnknown {
        /// The collection.
        collection: String,
    },
    /// Stored documents do not pass the validator of a model with copies or rollups that this crate writes by itself.
    /// The validator stays `moderate` until a plan finds that all documents pass.
    Moderate {
        /// The collection.
        collection: String,
        /// The number of documents that do not pass.
        documents: u64,
    },
}

impl Step {
    /// Returns the option that the step needs.
    pub fn needs(&self) -> Needs {
        match &self.change {
            Change::CreateCollection { .. }
            | Change::CreateIndex { .. }
            | Change::ChangeIndex { .. }
            | Change::SetOption { shrinks: false, .. }
            | Change::SetValidator { foreign: false, .. } => Needs::Nothing,
            Change::SetOption { shrinks: true, .. } => Needs::Shrink,
            Change::ConvertToCapped { .. } => Needs::Convert,
            Change::SetValidator { foreign: true, .. } => Needs::ReplaceValidators,
            Change::RebuildIndex { .. } => Needs::Rebuild,
            Change::Shard(sharding) if sharding.is_refused() => Needs::Decision,
            Change::Shard(Sharding { kind: ShardingKind::Reshard { .. }, .. }) => Needs::Reshard,
            Change::Shard(_) => Needs::Nothing,
            Change::Search(SearchChange::Create { .. } | SearchChange::Update { .. }) => Needs::Nothing,
            Change::Search(SearchChange::Rebuild { .. }) => Needs::Rebuild,
            Change::Search(SearchChange::Drop { .. }) => Needs::DropUndeclared,
            Change::DropIndex { .. } | Change::IndexNameTaken { declared: false, .. } => Needs::DropUndeclared,
            Change::IndexNameTaken { declared: true, .. } | Change::CollectionClash { .. } => Needs::Decision,
        }
    }
}

impl Step {
    /// Returns whether the step only takes away what no model declares: an index, stored images, a part of a larger
    /// capped collection. Without the step, the database has all that the models declare.
    pub fn takes_away(&self) -> bool {
        matches!(
            self.change,
            Change::DropIndex { .. }
                | Change::SetOption { shrinks: true, .. }
                | Change::Search(SearchChange::Drop { .. })
        )
    }

    /// Returns the step without the figures of stored documents, which change by ordinary writes.
    #[cfg(feature = "schema-file")]
    pub(crate) fn without_figures(&self) -> Step {
        let mut step = self.clone();
        match &mut step.change {
            Change::SetValidator { refused, .. } => *refused = None,
            Change::CreateIndex { duplicates, .. }
            | Change::ChangeIndex { duplicates, .. }
            | Change::IndexNameTaken { duplicates, .. } => *duplicates = None,
            Change::RebuildIndex { duplicates, size, .. } => (*duplicates, *size) = (None, None),
            Change::DropIndex { used, .. } => *used = None,
            Change::CreateCollection { .. }
            | Change::SetOption { .. }
            | Change::ConvertToCapped { .. }
            | Change::Search(_)
            | Change::CollectionClash { .. } => {}
            Change::Shard(sharding) => sharding.values = None,
        }
        step
    }
}

impl Needs {
    /// Returns the name of the method of [`ApplyOptions`](crate::apply::ApplyOptions) that permits the step; empty when
    /// no method does.
    pub const fn option(self) -> &'static str {
        match self {
            Needs::Nothing | Needs::Decision => "",
            Needs::DropUndeclared => "drop_undeclared",
            Needs::Rebuild => "rebuild",
            Needs::ReplaceValidators => "replace_validators",
            Needs::Reshard => "reshard",
            Needs::Shrink => "shrink",
            Needs::Convert => "convert",
        }
    }
}
