//! Field tokens and what is made of them: paths, filters, projections. Uses `definition` and `bounds`; reaches no server.

mod filter;
mod path;
mod projection;
mod token;
mod value;

pub use filter::Filter;
pub use path::{Path, PathNode, Root, Segment};
pub use projection::{Projection, all_fields};
pub use token::{FieldToken, Token};
pub use value::IntoValue;
