//! Rollups: values that parents keep of the children, for example capped subsets, counts and sums. A write of children
//! and the differences of the parents are one transaction. The protocol is in `docs/rollups-protocol.md`. `path`,
//! `tally`, `difference`, `pipeline`, `simulate`, `same` and `index` are pure.

mod differences;
mod maintenance;
mod stored;
mod write;

pub use maintenance::recompute::Recomputed;
pub(crate) use maintenance::recompute::{recompute_all, recompute_one};
pub(crate) use stored::kept::{Kept, kept_fields, kept_of};
pub(crate) use write::effect::Rollups;
