//! The key that spreads the documents of a model over the shards of a cluster: `#[shard_key(..)]`.

use super::{Allow, Kind, ModelDefinition, Scalar, each, resolve, str_eq};

/// A shard key, with the facts that the user declares.
#[derive(Clone, Copy, Debug)]
pub struct ShardKeyDefinition {
    /// The fields, in order.
    pub fields: &'static [ShardKeyField],
    /// True when two documents may not have the same key.
    pub unique: bool,
    /// The number of shards: 2 unless declared.
    pub shards: u64,
    /// The number of chunks of the data, as the user says.
    pub chunks: Option<u64>,
    /// The mix of operations, as the user says.
    pub workload: Option<Workload>,
    /// The rules that the shard key may break, with the reasons.
    pub allows: &'static [Allow],
}

/// One field of a shard key.
#[derive(Clone, Copy, Debug)]
pub struct ShardKeyField {
    /// The path, in the names of Rust.
    pub path: &'static [&'static str],
    /// True when documents are spread by a hash of the value, and not by ranges of values.
    pub hashed: bool,
    /// The number of values of the field, as the user says.
    pub distinct: Option<u64>,
    /// True when the field refers to another document.
    pub refers: bool,
}

/// The shares of the operations of an application, in per cent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Workload {
    /// Inserts.
    pub inserts: f64,
    /// Updates and deletes.
    pub updates: f64,
    /// Reads.
    pub queries: f64,
}

/// A share of the operations up to this limit counts as nothing, in per cent.
const HARDLY_ANY: f64 = 1.0;

impl ShardKeyDefinition {
    /// Creates a key of these fields, for two shards.
    pub const fn new(fields: &'static [ShardKeyField]) -> Self {
        ShardKeyDefinition { fields, unique: false, shards: 2, chunks: None, workload: None, allows: &[] }
    }

    /// Makes the key unique.
    pub const fn unique(self) -> Self {
        ShardKeyDefinition { unique: true, ..self }
    }

    /// Sets the number of shards.
    pub const fn shards(self, shards: u64) -> Self {
        ShardKeyDefinition { shards, ..self }
    }

    /// Sets the number of chunks.
    pub const fn chunks(self, chunks: u64) -> Self {
        ShardKeyDefinition { chunks: Some(chunks), ..self }
    }

    /// Sets the mix of operations.
    pub const fn workload(self, workload: Workload) -> Self {
        ShardKeyDefinition { workload: Some(workload), ..self }
    }

    /// Sets the rules that the shard key may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        ShardKeyDefinition { allows, ..self }
    }

    /// True when the user says that hardly any operation inserts: 1 per cent at most.
    pub const fn hardly_inserts(&self) -> bool {
        matches!(self.workload, Some(workload) if workload.inserts <= HARDLY_ANY)
    }

    /// True when the user says that hardly any operation reads: 1 per cent at most.
    pub const fn hardly_reads(&self) -> bool {
        matches!(self.workload, Some(workload) if workload.queries <= HARDLY_ANY)
    }

    /// Returns whether the key is `_id` alone, hashed or not.
    pub const fn is_id(&self, model: &ModelDefinition) -> bool {
        self.fields.len() == 1 && is_id(model, self.fields[0].path)
    }
}

/// Returns whether this path is the `_id` of the model.
pub(crate) const fn is_id(model: &ModelDefinition, path: &[&str]) -> bool {
    each!(for field in model.fields {
        if str_eq(field.name, "_id") {
            return path.len() == 1 && str_eq(field.rust_name, path[0]);
        }
    });
    false
}

/// Returns whether two paths are the same.
pub(crate) const fn is_path(one: &[&str], other: &[&str]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if !str_eq(one[at], other[at]) {
            return false;
        }
        at += 1;
    }
    one.len() == other.len()
}

impl ShardKeyField {
    /// Creates a field whose values are spread by ranges.
    pub const fn new(path: &'static [&'static str]) -> Self {
        ShardKeyField { path, hashed: false, distinct: None, refers: false }
    }

    /// Spreads the values by hashes.
    pub const fn hashed(self) -> Self {
        ShardKeyField { hashed: true, ..self }
    }

    /// Sets the number of values.
    pub const fn distinct(self, values: u64) -> Self {
        ShardKeyField { distinct: Some(values), ..self }
    }

    /// Declares that the field refers to another document.
    pub const fn refers(self) -> Self {
        ShardKeyField { refers: true, ..self }
    }
}

impl ShardKeyField {
    /// True when later values are greater and are spread by ranges: new documents are at the end.
    pub const fn ascends(&self, model: &ModelDefinition) -> bool {
        if self.refers || self.hashed {
            return false;
        }
        let Some(path) = resolve(model.fields, self.path) else { return false };
        match path.shape.kind {
            Kind::Scalar(Scalar::DateTime | Scalar::Timestamp) => true,
            // An `ObjectId` inside of a struct may be a reference.
            Kind::Scalar(Scalar::ObjectId) => self.path.len() == 1,
            Kind::Scalar(Scalar::Integer) => is_id(model, self.path),
            _ => false,
        }
    }
}

impl Workload {
    /// Creates a workload from the per cent of inserts, of updates and of queries.
    pub const fn new(inserts: f64, updates: f64, queries: f64) -> Self {
        Workload { inserts, updates, queries }
    }
}
