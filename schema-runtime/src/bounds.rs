//! What may be a field: an allow-list of types, each with its stored shape. A type that is not on it does not compile.

mod collection;
mod few;
mod geo;
mod id;
mod reference;
mod scalar;
mod tree_path;

pub use few::{Few, FewError};
pub use id::IntoId;
pub use reference::{Ref, Reference, References, reference_value};
pub use tree_path::{PathOf, TreePath};
