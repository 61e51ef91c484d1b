//! Copies that converge: every write of a source propagates to the copies, every write of a reference fills the copies beside the
//! reference, and marks record the work that a crash leaves undone. The protocol is in `docs/copies-protocol.md`, with the proof and the
//! names. `path` and `structs` are pure.

mod backfill;
mod clears;
mod correct;
mod effect;
mod exceeded;
mod fill;
mod held;
mod index;
mod intent;
mod marker;
mod path;
mod paths;
mod pull;
mod recover;
mod repair;
mod rewrite;
mod settle;
mod snapshot;
mod source;
mod structs;
mod survey;
mod sweep;
mod watch;
mod writing;

pub(crate) use backfill::backfill;
pub use backfill::{Backfilled, BackfilledPath};
pub(crate) use effect::EFFECT;
pub(crate) use intent::count as count_intended;
pub(crate) use path::CopyPath;
pub(crate) use paths::{fan_out_of, paths_from, paths_into};
pub use recover::RecoveredPath;
pub(crate) use recover::recover;
pub use repair::RepairedPath;
pub(crate) use repair::repair;
pub(crate) use snapshot::{EFFECT as SNAPSHOTS, fill as fill_snapshots};
pub(crate) use survey::Survey;
pub(crate) use watch::watch;
pub use watch::{Lag, Watched, Watcher};
