//! Data that this crate derives from what is written: copies of a source's fields, and rollups of children in their parent. `effect` is the
//! list of what follows from a write.

pub mod copies;
mod effect;
mod recover;
pub mod rollup;

pub(crate) use effect::{Begin, Delete, EFFECTS, Effect, InBulk, LeavesOut, Running};
pub use recover::Recovered;
pub(crate) use recover::recover;
