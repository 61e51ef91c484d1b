//! The stored values: the paths of rollups, the indexes, and the fields that depend on a field of a child.

pub(super) mod index;
pub(super) mod kept;
pub(super) mod path;
