//! By what the documents of a model are spread over the shards of a cluster: `#[shard_key(..)]`.

use super::{Allow, Kind, ModelDefinition, Scalar, resolve, str_eq};

/// A shard key, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct ShardKeyDefinition {
    /// The fields, in their order.
    pub fields: &'static [ShardKeyField],
    /// Whether two documents may not have the same key.
    pub unique: bool,
    /// How many shards there will be: 2 unless said.
    pub shards: u64,
    /// How many chunks the data will be, as the user says.
    pub chunks: Option<u64>,
    /// What the operations are, as the user says.
    pub workload: Option<Workload>,
    /// The rules it may break, with the reasons.
    pub allows: &'static [Allow],
}

/// One field of a shard key.
#[derive(Clone, Copy, Debug)]
pub struct ShardKeyField {
    /// The path, in the names of Rust.
    pub path: &'static [&'static str],
    /// Whether documents are spread by a hash of the value, and not by ranges of values.
    pub hashed: bool,
    /// How many values it has, as the user says.
    pub distinct: Option<u64>,
    /// Whether it refers to another document.
    pub refers: bool,
}

/// What the operations of an application are, in per cent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Workload {
    /// Inserts.
    pub inserts: f64,
    /// Updates and deletes.
    pub updates: f64,
    /// Reads.
    pub queries: f64,
}

/// So little of the operations is nothing, in per cent.
const HARDLY_ANY: f64 = 1.0;

impl ShardKeyDefinition {
    /// A key of these fields, for two shards.
    pub const fn new(fields: &'static [ShardKeyField]) -> Self {
        ShardKeyDefinition { fields, unique: false, shards: 2, chunks: None, workload: None, allows: &[] }
    }

    /// The same, unique.
    pub const fn unique(self) -> Self {
        ShardKeyDefinition { unique: true, ..self }
    }

    /// The same, for so many shards.
    pub const fn shards(self, shards: u64) -> Self {
        ShardKeyDefinition { shards, ..self }
    }

    /// The same, for data of so many chunks.
    pub const fn chunks(self, chunks: u64) -> Self {
        ShardKeyDefinition { chunks: Some(chunks), ..self }
    }

    /// The same, for these operations.
    pub const fn workload(self, workload: Workload) -> Self {
        ShardKeyDefinition { workload: Some(workload), ..self }
    }

    /// The same, with rules it may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        ShardKeyDefinition { allows, ..self }
    }

    /// Whether the user says that hardly anything is inserted: 1 per cent at most.
    pub const fn hardly_inserts(&self) -> bool {
        matches!(self.workload, Some(workload) if workload.inserts <= HARDLY_ANY)
    }

    /// Whether the user says that hardly anything is read: 1 per cent at most.
    pub const fn hardly_reads(&self) -> bool {
        matches!(self.workload, Some(workload) if workload.queries <= HARDLY_ANY)
    }

    /// Whether it is `_id` alone, hashed or not.
    pub const fn is_id(&self, model: &ModelDefinition) -> bool {
        self.fields.len() == 1 && is_id(model, self.fields[0].path)
    }
}

/// Whether this path is the `_id` of the model.
pub(crate) const fn is_id(model: &ModelDefinition, path: &[&str]) -> bool {
    let mut at = 0;
    while at < model.fields.len() {
        let field = &model.fields[at];
        if str_eq(field.name, "_id") {
            return path.len() == 1 && str_eq(field.rust_name, path[0]);
        }
        at += 1;
    }
    false
}

/// Whether two paths are the same.
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
    /// A field whose values are spread by ranges.
    pub const fn new(path: &'static [&'static str]) -> Self {
        ShardKeyField { path, hashed: false, distinct: None, refers: false }
    }

    /// The same, by hashes.
    pub const fn hashed(self) -> Self {
        ShardKeyField { hashed: true, ..self }
    }

    /// The same, of so many values.
    pub const fn distinct(self, values: u64) -> Self {
        ShardKeyField { distinct: Some(values), ..self }
    }

    /// The same, which refers to another document.
    pub const fn refers(self) -> Self {
        ShardKeyField { refers: true, ..self }
    }
}

impl ShardKeyField {
    /// Whether later values are greater ones, and are spread by ranges: new documents are at the end.
    pub const fn ascends(&self, model: &ModelDefinition) -> bool {
        if self.refers || self.hashed {
            return false;
        }
        let Some(path) = resolve(model.fields, self.path) else { return false };
        match path.shape.kind {
            Kind::Scalar(Scalar::DateTime | Scalar::Timestamp) => true,
            // One inside of a struct may be a reference.
            Kind::Scalar(Scalar::ObjectId) => self.path.len() == 1,
            Kind::Scalar(Scalar::Integer) => is_id(model, self.path),
            _ => false,
        }
    }
}

impl Workload {
    /// So many per cent of each.
    pub const fn new(inserts: f64, updates: f64, queries: f64) -> Self {
        Workload { inserts, updates, queries }
    }
}
