//! Comparison and repair of parents, and the work that clients have left.

pub(super) mod compare;
pub(super) mod pending;
pub(super) mod recompute;
pub(super) mod recover;
pub(super) mod verify;
