//! Copies that converge: every write of a source propagates to the copies, every write of a reference fills the copies
//! beside the reference, and marks record the work that a crash leaves undone. The protocol is in
//! `docs/copies-protocol.md`, with the proof and the names. `path` and `structs` are pure.

mod maintenance;
mod stored;
mod watch;
mod write;

pub(crate) use stored::model_paths::{fan_out_of, paths_from, paths_into};
pub(crate) use stored::path::CopyPath;
pub(crate) use watch::{Watch, WatchOptions, WatchStep, Watched, WatchedCopies};
pub(crate) use write::effect::Copies;
pub(crate) use write::snapshot::{Snapshots, fill as fill_snapshots};
