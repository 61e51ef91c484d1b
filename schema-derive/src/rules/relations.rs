//! Rules of relations, delete rules and trees.

pub(super) mod embed_favored;
pub(super) mod storage_mismatch;
pub(super) mod tree_depth;
pub(super) mod tree_kept;
