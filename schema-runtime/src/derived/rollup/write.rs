//! Rollups beside a write of children or parents.

pub(super) mod delete;
pub(super) mod effect;
pub(super) mod returned;
pub(super) mod simulate;
pub(super) mod writing;
