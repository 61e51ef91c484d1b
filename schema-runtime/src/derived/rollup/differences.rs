//! Differences of parents: computed from children, applied to the parents or left, and folded.

pub(super) mod apply;
pub(super) mod children;
pub(super) mod difference;
pub(super) mod fold;
pub(super) mod heat;
pub(super) mod left;
pub(super) mod pipeline;
pub(super) mod same;
pub(super) mod tally;
