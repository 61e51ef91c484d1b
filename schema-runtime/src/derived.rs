//! Data that this crate derives from what is written: copies of a source's fields, and rollups of children in their parent.

pub mod copies;
mod recover;
pub mod rollup;

pub use recover::Recovered;
pub(crate) use recover::recover;
