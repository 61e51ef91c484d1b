//! Copies that converge: every write of what is copied carries its copies, every write of a reference fills the copies beside
//! it, and marks tell what a crash left behind. The protocol is in `docs/copies-protocol.md`, with its proof and its names.
//! `path` and `structs` are pure. Uses `definition`, `document`, `read`, `executor`, `transaction` and `error`; `operation`
//! uses it.

mod backfill;
mod clears;
mod fill;
mod follow;
mod held;
mod index;
mod mend;
mod pace;
mod path;
mod pull;
mod recover;
mod repair;
mod settle;
mod source;
mod structs;
mod survey;
mod sweep;
mod writing;

pub(crate) use backfill::backfill;
pub use backfill::{Backfilled, BackfilledPath};
pub(crate) use fill::Manner;
pub(crate) use follow::follow;
pub use follow::{Followed, Follower, Lag};
pub(crate) use index::indexes;
pub(crate) use pace::CHUNK;
pub use pace::{Pace, Progress};
pub(crate) use path::{CopyPath, carried_by, fan_out_of, held_by};
pub use recover::RecoveredPath;
pub(crate) use recover::recover;
pub(crate) use repair::repair;
pub use repair::{Repaired, RepairedPath};
pub(crate) use source::{SourceRead, of_whole as source_of};
pub(crate) use survey::Survey;
pub(crate) use writing::{Following, MOST_IN_TRANSACTION, Writing};
