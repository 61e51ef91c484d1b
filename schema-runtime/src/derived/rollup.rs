//! What parents keep of their children: capped subsets, counts, sums and the like. Every write of a child leaves a pending record in it,
//! and applies the difference to its parents. The protocol is in `docs/rollups-protocol.md`, with its proof and its names. `path`,
//! `tally`, `fold` and `index` are pure.

mod abandoned;
mod adopt;
mod apply;
mod delete;
mod effect;
mod fold;
mod index;
mod insert;
mod kept;
mod mark;
mod path;
mod pending;
mod prepare;
mod read;
mod recompute;
mod recover;
mod refresh;
mod refused;
mod same;
mod take_over;
mod tally;
mod verify;
mod writing;

pub(crate) use effect::EFFECT;
pub(crate) use kept::{Kept, kept_fields, kept_of};
pub(crate) use path::{GONE, paths_of_parent};
pub use pending::PendingRollup;
pub(crate) use pending::pending;
pub use recompute::Recomputed;
pub(crate) use recompute::{recompute_all, recompute_one};
pub use recover::RecoveredRollup;
pub(crate) use recover::recover;
pub(crate) use verify::wrong_rollups;
