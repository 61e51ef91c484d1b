//! Trees: documents that refer to a parent in the same collection, and keep their ancestors or a materialized path. An
//! insert touches the parent, and a move writes the subtree. `docs/trees-protocol.md` explains the correctness, and
//! `protocols/tests/trees` checks the correctness.

mod broken_tree;
mod cascade;
mod chain;
mod complete;
mod effect;
mod id;
mod layout;
mod maintenance;
mod moves;
mod node;
mod part;
mod repair;
mod subtree;
mod walk;
mod writing;

pub(crate) use cascade::TreeCascades;
pub(crate) use effect::Trees;
pub(crate) use layout::Layout;
pub(crate) use moves::{move_node, promote_children};
pub(crate) use walk::{ancestors_of, subtree};
