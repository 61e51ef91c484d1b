//! Reviews a schema by reads and writes, from the definitions and from the figures of a server.

mod indexes;
mod measured;
mod notes;
mod reads;
mod render;
mod serves;
mod writes;

use mongodb::bson::{DateTime, Document};

pub(crate) use measured::review_on;

use super::cost::Cost;
use crate::definition::{DeleteRule, ModelDefinition};

/// A review of the declared use of the models: the reads and writes a day, with the commands, indexes and transactions.
/// [`Schema::review`](crate::Schema::review) makes a review from the definitions alone,
/// [`Schema::review_on`](crate::Schema::review_on) also asks a server. Data; `Display` for people.
///
/// Numbers a day come from `per_day` and `#[changes(per_day = ..)]`; `None` when the attribute is absent. Numbers of
/// documents are the most that bounds allow; `None` without a bound.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Review {
    /// The models, in the order of the schema.
    pub models: Vec<ModelReview>,
    /// The collections of the database that no model declares; empty without a server.
    pub undeclared: Vec<String>,
    /// The bytes of memory that the server has for documents and indexes, set by [`with_memory`](Review::with_memory).
    pub memory: Option<u64>,
}

/// The review of a model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelReview {
    /// The struct.
    pub model: &'static str,
    /// The collection.
    pub collection: &'static str,
    /// The declared queries, and the relations to other documents: each relation is a separate command (a lookup).
    pub reads: Vec<ReadReview>,
    /// The fields with a declared number of writes a day, and the fields whose writes change more documents.
    pub writes: Vec<WriteReview>,
    /// The indexes of the collection except the index of `_id`, each with the askers.
    pub indexes: Vec<IndexReview>,
    /// The copies that the documents hold and that follow the source.
    pub copies: Vec<CopyReview>,
    /// The writes that need a transaction, and therefore a replica set.
    pub transactions: Vec<TransactionReview>,
    /// The effects of a delete on referring documents, from one collection to the next.
    pub deletes: Vec<Vec<DeleteStep>>,
    /// The figures of the server; `None` without a server, and when the collection is missing.
    pub stored: Option<StoredReview>,
}

/// A declared read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadReview {
    /// The method of the read.
    pub name: &'static str,
    /// The collection that is read.
    pub collection: &'static str,
    /// True for a relation, a read of the documents of another model.
    pub is_lookup: bool,
    /// The struct of the result of an aggregation, which reads all found documents; `None` for a read that returns
    /// documents.
    pub groups: Option<&'static str>,
    /// The number of runs a day: each run is a command.
    pub per_day: Option<u64>,
    /// The most documents that a command returns; for an aggregation, the most documents that the groups are made of.
    pub documents: Option<u64>,
    /// The index that serves the read; `None` when the documents are read as stored.
    pub index: Option<String>,
}

/// A field with writes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteReview {
    /// The number of writes of the field a day, in all documents together.
    pub per_day: Option<u64>,
    /// The cost of a single write.
    pub cost: Cost,
}

/// An index and the askers of the index.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IndexReview {
    /// The name of the index.
    pub name: String,
    /// The keys of the index.
    pub keys: Document,
    /// The askers of the index.
    pub asked_by: Vec<IndexAsker>,
    /// The figures of the server; `None` without a server, and when the index is missing.
    pub stored: Option<StoredIndex>,
}

/// An asker of an index: the reason why the index is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexAsker {
    /// An attribute, `#[index(..)]`.
    Declared,
    /// No two documents may have the same keys.
    Unique,
    /// Documents expire by the index.
    Expiry,
    /// The declared query of this name.
    Query(&'static str),
    /// The relation in this Rust field.
    Relation(&'static str),
    /// The shard key.
    ShardKey,
    /// Copies, rollups and delete rules find the documents to write by the index.
    DerivedData,
}

/// An index on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredIndex {
    /// The size of the index in bytes.
    pub bytes: u64,
    /// The number of operations that have used the index.
    pub used: u64,
    /// The time at which the server began to count the operations.
    pub since: DateTime,
}

/// A copy that follows the source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CopyReview {
    /// The stored path of the copy.
    pub path: String,
    /// The struct of the source.
    pub source: &'static str,
    /// The stored path of the copied field in the source.
    pub from: String,
    /// The number of times a day that queries read the copy.
    pub reads: Option<u64>,
    /// The number of times a day that the source's field is written.
    pub writes: Option<u64>,
    /// The most documents that hold copies of a source.
    pub fan_out: Option<u64>,
}

/// A write that needs a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransactionReview {
    /// An update of this stored field, with the copies of the field.
    Copies(String),
    /// Each write that changes this Rust field, an end of a `two_way`, with the opposite end.
    BothEnds(&'static str),
    /// A delete, with the effects of the delete rules.
    Delete,
    /// An update that changes this Rust field, with the parent that has a delete rule.
    Parent(&'static str),
    /// A write (an insert, a delete or an update) that changes fields of which the parent keeps a value. The stored
    /// reference names the parent.
    Kept(&'static str),
    /// An insert of a parent, which counts the existing children.
    Insert,
}

/// The effect of a delete on the documents that refer to the deleted document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeleteStep {
    /// The collection of the documents that refer to the deleted document.
    pub collection: &'static str,
    /// The Rust field that refers to the deleted document.
    pub field: &'static str,
    /// The delete rule.
    pub rule: DeleteRule,
    /// The most documents that may refer to a deleted document.
    pub documents: Option<u64>,
}

/// A collection on a server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoredReview {
    /// The number of documents in the collection.
    pub documents: u64,
    /// The size of the documents in bytes, before compression.
    pub bytes: u64,
    /// The size of the largest of up to a thousand documents taken at random, in bytes.
    pub largest_sampled: u64,
    /// The size of all indexes in bytes, including the index of `_id`.
    pub index_bytes: u64,
    /// The indexes that the models do not declare.
    pub undeclared: Vec<String>,
}

/// A fact that a person should look at: made by [`Review::notes`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReviewNote {
    /// A declared query reads every document of the collection, and has no limit.
    NoIndex {
        /// The model.
        model: &'static str,
        /// The query.
        read: &'static str,
    },
    /// Only an attribute asks for the index, although the model declares queries.
    NobodyAsks {
        /// The model.
        model: &'static str,
        /// The index.
        index: String,
    },
    /// No operation has used the index since the server began to count. The note leaves out indexes that keep keys
    /// unique, let documents expire, begin with the shard key or serve derived data.
    NeverUsed {
        /// The model.
        model: &'static str,
        /// The index.
        index: String,
        /// The time at which the server began to count.
        since: DateTime,
    },
    /// The collection exists without the declared index.
    Missing {
        /// The model.
        model: &'static str,
        /// The index.
        index: String,
    },
    /// The collection has an index that no model declares.
    UndeclaredIndex {
        /// The model.
        model: &'static str,
        /// The index.
        index: String,
    },
    /// The database has a collection that no model declares.
    UndeclaredCollection(String),
    /// The number of further collections that no model declares, beyond the ten named collections.
    /// [`Review::undeclared`] has all names.
    FurtherUndeclaredCollections(usize),
    /// A copy is written more often a day than read.
    CopyWrittenMoreThanRead {
        /// The model that holds the copy.
        model: &'static str,
        /// The stored path.
        path: String,
    },
    /// The data that a day's reads touch does not fit into the memory.
    WorkingSetOverMemory {
        /// The working set in bytes.
        bytes: u64,
        /// The memory in bytes.
        memory: u64,
    },
}

/// Reviews the schema by the definitions alone.
pub(crate) fn review(models: &[&'static ModelDefinition]) -> Review {
    let models = models.iter().map(|model| review_model(model)).collect();
    Review { models, undeclared: Vec::new(), memory: None }
}

/// Reviews one model by the definitions alone.
pub(crate) fn review_model(model: &'static ModelDefinition) -> ModelReview {
    ModelReview {
        model: model.model,
        collection: model.collection,
        reads: reads::of(model),
        writes: writes::of(model),
        copies: writes::copies_of(model),
        transactions: writes::transactions_of(model),
        deletes: writes::deletes_of(model),
        indexes: indexes::of(model),
        stored: None,
    }
}

impl Review {
    /// Returns the review with an amount of memory in bytes: the cache of the server, by default half of the memory
    /// less 1 GiB.
    pub fn with_memory(self, bytes: u64) -> Self {
        Review { memory: Some(bytes), ..self }
    }

    /// Returns about how many bytes a day's reads go through. The bytes should fit into memory. The number adds all
    /// indexes, and the documents that the declared reads return a day, each counted every time, but never more than
    /// the whole collection. A collection counts as a whole when a read of the collection has no number of runs a day,
    /// or no bound. Returns `None` without a server.
    pub fn working_set(&self) -> Option<u64> {
        let mut any = None;
        for model in &self.models {
            let Some(stored) = &model.stored else { continue };
            let of_collection = self.models.iter().flat_map(|model| &model.reads);
            let read = of_collection.filter(|read| read.collection == model.collection);
            let documents =
                read.map(ReadReview::documents_per_day).try_fold(0_u64, |sum, read| Some(sum.saturating_add(read?)));
            let average = stored.bytes.checked_div(stored.documents).unwrap_or_default();
            let bytes = documents.map_or(stored.bytes, |documents| documents.saturating_mul(average).min(stored.bytes));
            any = Some(any.unwrap_or(0_u64).saturating_add(bytes).saturating_add(stored.index_bytes));
        }
        any
    }
}

impl ReadReview {
    /// Returns the most documents that the read returns a day.
    pub fn documents_per_day(&self) -> Option<u64> {
        Some(self.per_day?.saturating_mul(self.documents?))
    }
}

impl WriteReview {
    /// Returns the number of commands that the writes send a day. Copies without a bound count as if a single chunk
    /// held all of the copies.
    pub fn commands_per_day(&self) -> Option<u64> {
        Some(self.per_day?.saturating_mul(self.cost.commands(0)))
    }

    /// Returns the most documents that the writes change a day.
    pub fn documents_per_day(&self) -> Option<u64> {
        Some(self.per_day?.saturating_mul(self.cost.documents()?))
    }
}

impl CopyReview {
    /// Returns the number of reads of a copy for each write: the reads a day, divided by the writes of the source times
    /// the fan-out. An undeclared fan-out counts as 1.
    pub fn ratio(&self) -> Option<f64> {
        let writes = self.writes?.saturating_mul(self.fan_out.unwrap_or(1));
        Some(self.reads? as f64 / writes as f64)
    }
}
