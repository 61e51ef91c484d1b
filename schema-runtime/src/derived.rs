//! Data that this crate derives from what is written: copies of a source's fields, and rollups of children in their parent. `effect` is
//! what follows from a write, whatever it is, and `effects` the list.

pub mod bucket;
pub mod copies;
pub mod delete_rules;
pub(crate) mod effect;
pub(crate) mod effects;
pub mod links;
mod recover;
mod refused;
mod repair;
pub mod rollup;
pub mod slug;
mod statements;
pub(crate) mod throttle;
pub mod tree;
mod updated;

pub use recover::Recovered;
pub(crate) use recover::recover;
pub use repair::Repaired;
pub(crate) use repair::repair;
