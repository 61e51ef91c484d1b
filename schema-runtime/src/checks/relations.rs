//! Rules of relations, delete rules and trees.

pub(super) mod delete_rule;
pub(super) mod embedded_model;
pub(super) mod incomplete_schema;
pub(super) mod inverse_disagrees;
pub(super) mod reference_cycle;
pub(super) mod relation_balance;
pub(super) mod storage_mismatch;
pub(super) mod tree_id;
pub(super) mod tree_parent;
pub(super) mod two_way_undeclared;
