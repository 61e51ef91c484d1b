//! Rules of rollups.

pub(super) mod rollup_disagrees;
pub(super) mod rollup_of_derived;
pub(super) mod rollup_of_expiring;
