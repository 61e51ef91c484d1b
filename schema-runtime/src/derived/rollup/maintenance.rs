//! Comparison and recomputation of parents, and the work that clients have left.

pub(super) mod compare;
pub(super) mod recompute;
pub(super) mod recover;
pub(super) mod wrong_rollup;
