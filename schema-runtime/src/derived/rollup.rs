//! Rollups: values that parents keep of the children, for example capped subsets, counts and sums. A write of children and the differences
//! of the parents are one transaction. The protocol is in `docs/rollups-protocol.md`. `path`, `tally`, `difference`, `pipeline`,
//! `simulate`, `same` and `index` are pure.

mod differences;
mod maintenance;
mod stored;
mod write;

pub use maintenance::pending::PendingRollup;
pub(crate) use maintenance::pending::pending;
pub use maintenance::recompute::Recomputed;
pub(crate) use maintenance::recompute::{recompute_all, recompute_one};
pub use maintenance::recover::RecoveredRollup;
pub(crate) use maintenance::recover::recover;
pub(crate) use maintenance::verify::wrong_rollups;
pub(crate) use stored::kept::{Kept, kept_fields, kept_of};
pub(crate) use stored::path::paths_of_parent;
pub(crate) use write::effect::Rollups;
