//! `#[shard_key(..)]`: the fields that spread the documents of a model over the shards of a cluster.

use syn::Expr;

use super::{Allow, Number};

/// `#[shard_key(userid, time_posted, distinct(userid = 50_000), shards = 4)]`
pub(crate) struct ShardKey {
    /// The fields in order; no field stands twice.
    pub(crate) fields: Vec<ShardKeyField>,
    pub(crate) unique: Option<Expr>,
    /// How many shards there will be.
    pub(crate) shards: Option<Number>,
    /// How many chunks the data will have.
    pub(crate) chunks: Option<Number>,
    pub(crate) workload: Option<Workload>,
    pub(crate) allows: Vec<Allow>,
}

pub(crate) struct ShardKeyField {
    /// The path in the names of Rust, without `r#`.
    pub(crate) path: Vec<String>,
    pub(crate) hashed: bool,
    /// How many values the field has, as the user says.
    pub(crate) distinct: Option<Number>,
    /// True when the type is written as a reference: the values of a reference come from another model.
    pub(crate) refers: bool,
    /// The field, as written.
    pub(crate) tokens: Expr,
}

/// The shares of the kinds of operations, in per cent.
pub(crate) struct Workload {
    pub(crate) inserts: f64,
    pub(crate) updates: f64,
    pub(crate) queries: f64,
}
