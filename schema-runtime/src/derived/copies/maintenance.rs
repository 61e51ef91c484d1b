//! Surveys, repair and backfill of copies, and the work that clients have left.

pub(super) mod backfill;
pub(super) mod correct;
pub(super) mod held;
pub(super) mod recover;
pub(super) mod repair;
pub(super) mod rewrite;
pub(super) mod survey;
