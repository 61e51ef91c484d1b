//! Copies beside a write: the fill, the propagation, the re-check, and the clears of marks.

pub(super) mod clears;
pub(super) mod effect;
pub(super) mod exceeded;
pub(super) mod fill;
pub(super) mod intent;
pub(super) mod pull;
pub(super) mod settle;
pub(super) mod snapshot;
pub(super) mod sweep;
pub(super) mod writing;
