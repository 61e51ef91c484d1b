//! Copies that converge: every write of what is copied carries its copies, every write of a reference fills the copies beside
//! it, and marks tell what a crash left behind. The protocol is in `docs/copies-protocol.md`, with its proof and its names.
//! `path` and `structs` are pure. Uses `definition`, `read`, `executor`, `transaction` and `error`; `operation` uses it.

mod fill;
mod index;
mod pace;
mod path;
mod recover;
mod settle;
mod source;
mod structs;
mod sweep;
mod writing;

pub(crate) use fill::nested;
pub(crate) use index::indexes;
pub use pace::{Pace, Progress};
pub(crate) use path::{carried_by, held_by, value_at};
pub(crate) use recover::recover;
pub use recover::{Recovered, RecoveredPath};
pub(crate) use source::{SourceRead, of_whole as source_of};
pub(crate) use writing::{Following, Writing};
