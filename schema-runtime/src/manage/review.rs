//! A schema judged by how it is read and written: what its definitions say, and what a server says of them.

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

/// How an application uses its models, by what it says of itself: what is read and written a day, by which commands, indexes and transactions.
/// [`Schema::review`](crate::Schema::review) makes one from the definitions alone, [`Schema::review_on`](crate::Schema::review_on) also asks
/// a server. Data; `Display` for people.
///
/// Numbers a day are those of `per_day` and `#[written(per_day = ..)]`; `None` where nothing is said. Numbers of documents are the most
/// that bounds allow; `None` without a bound.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Review {
    /// The models, in the order of the schema.
    pub models: Vec<ModelReview>,
    /// The collections of the database that no model declares; empty without a server.
    pub undeclared: Vec<String>,
    /// How many bytes of memory the server has for documents and indexes, as [`with_memory`](Review::with_memory) says.
    pub memory: Option<u64>,
}

/// One model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelReview {
    /// The struct.
    pub model: &'static str,
    /// The collection.
    pub collection: &'static str,
    /// Its declared queries, and the relations by which its documents lead to others: each a command of its own (a lookup).
    pub reads: Vec<ReadReview>,
    /// The fields that are written so often a day, and those of which a write changes other documents too.
    pub writes: Vec<WriteReview>,
    /// The indexes of its collection but that of `_id`, and who asks for each.
    pub indexes: Vec<IndexReview>,
    /// The copies that its documents hold and that follow their source.
    pub copies: Vec<CopyReview>,
    /// What goes in a transaction, so that it needs a replica set.
    pub transactions: Vec<TransactionReview>,
    /// What a delete of its documents does to others, from one collection to the next.
    pub deletes: Vec<Vec<DeleteStep>>,
    /// What the server has stored; `None` without a server, and of a collection that is not there.
    pub stored: Option<StoredReview>,
}

/// A read that is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadReview {
    /// The method.
    pub name: &'static str,
    /// The collection that is read.
    pub collection: &'static str,
    /// Whether it is a relation, which reads documents of another model.
    pub is_lookup: bool,
    /// How often it runs a day: each time is one command.
    pub per_day: Option<u64>,
    /// The most documents that one command returns.
    pub documents: Option<u64>,
    /// The index that serves it; `None` where the documents are read as they are stored.
    pub index: Option<String>,
}

/// A field that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteReview {
    /// How often a day it is written, in all documents together.
    pub per_day: Option<u64>,
    /// What one write costs.
    pub cost: Cost,
}

/// An index.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IndexReview {
    /// Its name.
    pub name: String,
    /// Its keys.
    pub keys: Document,
    /// Who asks for it.
    pub asked_by: Vec<IndexAsker>,
    /// What the server says of it; `None` without a server, and where it is missing.
    pub stored: Option<StoredIndex>,
}

/// Who asks for an index.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexAsker {
    /// An attribute, `#[index(..)]`.
    Declared,
    /// No two documents may have the same keys.
    Unique,
    /// Documents expire by it.
    Expiry,
    /// The declared query of this name.
    Query(&'static str),
    /// The relation in this Rust field.
    Relation(&'static str),
    /// The shard key.
    ShardKey,
    /// Copies, rollups and delete rules find by it what they write.
    DerivedData,
}

/// An index on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredIndex {
    /// Its size in bytes.
    pub bytes: u64,
    /// How many operations have used it.
    pub used: u64,
    /// Since when the server counts them.
    pub since: DateTime,
}

/// A copy that follows its source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CopyReview {
    /// The stored path of the copy.
    pub path: String,
    /// The struct that it is a copy of.
    pub source: &'static str,
    /// The stored path of the field there.
    pub from: String,
    /// How often a day queries read the copy.
    pub reads: Option<u64>,
    /// How often a day the source's field is written.
    pub writes: Option<u64>,
    /// The most documents that hold copies of one source.
    pub fan_out: Option<u64>,
}

/// What goes in a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransactionReview {
    /// An update of this stored field, with the copies of it.
    Copies(String),
    /// Each write that changes this Rust field, an end of a `two_way`, with the other end.
    BothEnds(&'static str),
    /// A delete, with what its rules do.
    Delete,
    /// An update that changes this Rust field, with the parent that has a delete rule.
    Parent(&'static str),
    /// A write that changes fields of which the parent by this stored reference keeps something: inserts, deletes, updates.
    Kept(&'static str),
    /// An insert of a parent, which counts the children that are there.
    Insert,
}

/// What a delete does to the documents that refer to what it deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeleteStep {
    /// The collection of those that refer.
    pub collection: &'static str,
    /// Their Rust field.
    pub field: &'static str,
    /// What is done.
    pub rule: DeleteRule,
    /// How many of them one deleted document may have.
    pub documents: Option<u64>,
}

/// A collection on a server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoredReview {
    /// How many documents it has.
    pub documents: u64,
    /// Their size in bytes, before compression.
    pub bytes: u64,
    /// The size of the largest of up to a thousand documents taken at random, in bytes.
    pub largest_sampled: u64,
    /// The size of all its indexes in bytes, that of `_id` too.
    pub index_bytes: u64,
    /// The indexes that the models do not declare.
    pub undeclared: Vec<String>,
}

/// What a person should look at: made by [`Review::notes`].
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
    /// An index of a model with queries that nothing asks for but its attribute.
    NobodyAsks {
        /// The model.
        model: &'static str,
        /// The index.
        index: String,
    },
    /// No operation has used the index since the server counts them. One that keeps keys unique, lets documents expire or is for derived data
    /// is none of these.
    NeverUsed {
        /// The model.
        model: &'static str,
        /// The index.
        index: String,
        /// Since when the server counts.
        since: DateTime,
    },
    /// The collection is there without this index.
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
    /// A copy is written more often a day than it is read.
    CopyWrittenMoreThanRead {
        /// The model that holds it.
        model: &'static str,
        /// The stored path.
        path: String,
    },
    /// What is read a day does not fit into the memory.
    WorkingSetOverMemory {
        /// The working set in bytes.
        bytes: u64,
        /// The memory in bytes.
        memory: u64,
    },
}

/// The schema judged by its definitions alone.
pub(crate) fn review(models: &[&'static ModelDefinition]) -> Review {
    let models = models.iter().map(|model| {
        let indexes = indexes::of(model);
        ModelReview {
            model: model.model,
            collection: model.collection,
            reads: reads::of(model),
            writes: writes::of(model),
            copies: writes::copies_of(model),
            transactions: writes::transactions_of(model),
            deletes: writes::deletes_of(model),
            indexes,
            stored: None,
        }
    });
    Review { models: models.collect(), undeclared: Vec::new(), memory: None }
}

impl Review {
    /// The same, beside so many bytes of memory: of the server's cache, which is half of its memory less 1 GiB where nothing else is said.
    pub fn with_memory(self, bytes: u64) -> Self {
        Review { memory: Some(bytes), ..self }
    }

    /// About how many bytes a day's reads go through, which should fit into memory: all indexes, and the documents that the declared
    /// reads return a day, each counted every time, but never more than the whole collection. A collection of which a read does not
    /// say how often it runs, or without a bound, counts as a whole. `None` without a server.
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
    /// The most documents that it returns a day.
    pub fn documents_per_day(&self) -> Option<u64> {
        Some(self.per_day?.saturating_mul(self.documents?))
    }
}

impl WriteReview {
    /// How many commands a day its writes send. Copies without a bound are counted as if one chunk had them all.
    pub fn commands_per_day(&self) -> Option<u64> {
        Some(self.per_day?.saturating_mul(self.cost.commands(0)))
    }

    /// The most documents that its writes change a day.
    pub fn documents_per_day(&self) -> Option<u64> {
        Some(self.per_day?.saturating_mul(self.cost.documents()?))
    }
}

impl CopyReview {
    /// How often a copy is read for each time it is written: the reads a day, over the writes of the source times the fan-out, or
    /// times one where none is said.
    pub fn ratio(&self) -> Option<f64> {
        let writes = self.writes?.saturating_mul(self.fan_out.unwrap_or(1));
        Some(self.reads? as f64 / writes as f64)
    }
}
