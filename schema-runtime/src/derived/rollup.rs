//! What parents keep of their children: capped subsets, counts, sums and the like. Every write of a child brings its parent
//! up to it, and marks tell what a crash left behind. The protocol is in `docs/copies-protocol.md` ("Squillions to one"),
//! with its proof and its names. `path`, `add` and `index` are pure.

mod add;
mod delete;
mod index;
mod inserted;
mod path;
mod recompute;
mod recover;
mod refresh;
mod removal;
mod settle;
mod update;
mod verify;
mod writing;

pub(crate) use delete::delete;
pub(crate) use index::indexes;
pub(crate) use path::paths_of_parent;
pub use recover::RecoveredRollup;
pub(crate) use recover::{recompute_all, recompute_one, recover};
pub(crate) use update::is_unchanged;
pub(crate) use verify::wrong_rollups;
pub(crate) use writing::RollupWriting;
