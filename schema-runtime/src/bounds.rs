//! The types that may be a field: an allow-list with the stored shape of each type. A type outside of the list does not
//! compile.

mod auto;
mod bounded_vec;
mod collection;
mod foreign;
mod geo;
mod hidden;
mod id;
mod raw;
mod reference;
mod reference_text;
mod scalar;
mod tree_path;

pub use auto::{AutoValue, SequenceNumber};
pub use bounded_vec::{BoundedVec, BoundedVecError};
pub use hidden::{Hidden, unloaded};
pub use id::IntoId;
pub use reference::{Ref, Reference, References, reference_value};
pub use reference_text::ParseRefError;
pub use tree_path::{PathOf, TreePath};
