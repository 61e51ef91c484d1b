//! Copies that converge: every write of a source propagates to the copies, every write of a reference fills the copies beside the
//! reference, and marks record the work that a crash leaves undone. The protocol is in `docs/copies-protocol.md`, with the proof and the
//! names. `path` and `structs` are pure.

mod mend;
mod stored;
mod watch;
mod write;

pub(crate) use mend::backfill::backfill;
pub use mend::backfill::{Backfilled, BackfilledPath};
pub use mend::recover::RecoveredPath;
pub(crate) use mend::recover::recover;
pub use mend::repair::RepairedPath;
pub(crate) use mend::repair::repair;
pub(crate) use mend::survey::Survey;
pub(crate) use stored::path::CopyPath;
pub(crate) use stored::paths::{fan_out_of, paths_from, paths_into};
pub(crate) use watch::watch;
pub use watch::{Lag, Watched, Watcher};
pub(crate) use write::effect::EFFECT;
pub(crate) use write::intent::count as count_intended;
pub(crate) use write::snapshot::{EFFECT as SNAPSHOTS, fill as fill_snapshots};
