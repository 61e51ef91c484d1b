//! `#[shard_key(..)]`: by what the documents of a model are spread over the shards of a cluster.

use syn::Expr;

use super::{Allow, Number};

/// `#[shard_key(userid, time_posted, distinct(userid = 50_000), shards = 4)]`
pub(crate) struct ShardKey {
    /// In their order; none twice.
    pub(crate) fields: Vec<ShardKeyField>,
    pub(crate) unique: Option<Expr>,
    /// How many shards there will be.
    pub(crate) shards: Option<Number>,
    /// How many chunks the data will be.
    pub(crate) chunks: Option<Number>,
    pub(crate) workload: Option<Workload>,
    pub(crate) allows: Vec<Allow>,
}

pub(crate) struct ShardKeyField {
    /// In the names of Rust, without `r#`.
    pub(crate) path: Vec<String>,
    pub(crate) hashed: bool,
    /// How many values it has, as the user says.
    pub(crate) distinct: Option<Number>,
    /// Whether its type is written as a reference, whose values are given by others.
    pub(crate) refers: bool,
    /// The field, as written.
    pub(crate) tokens: Expr,
}

/// What the operations are, in per cent.
pub(crate) struct Workload {
    pub(crate) inserts: f64,
    pub(crate) updates: f64,
    pub(crate) queries: f64,
}
