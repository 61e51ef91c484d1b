//! Rollups: values that parents keep of the children, for example capped subsets, counts and sums. A write of children and the differences
//! of the parents are one transaction. The protocol is in `docs/rollups-protocol.md`. `path`, `tally`, `difference`, `pipeline`,
//! `simulate`, `same` and `index` are pure.

mod apply;
mod children;
mod compare;
mod delete;
mod difference;
mod effect;
mod fold;
mod heat;
mod index;
mod kept;
mod left;
mod path;
mod pending;
mod pipeline;
mod recompute;
mod recover;
mod refused;
mod returned;
mod same;
mod simulate;
mod tally;
mod verify;
mod writing;

pub(crate) use effect::EFFECT;
pub(crate) use kept::{Kept, kept_fields, kept_of};
pub(crate) use path::paths_of_parent;
pub use pending::PendingRollup;
pub(crate) use pending::pending;
pub use recompute::Recomputed;
pub(crate) use recompute::{recompute_all, recompute_one};
pub use recover::RecoveredRollup;
pub(crate) use recover::recover;
pub(crate) use verify::wrong_rollups;
