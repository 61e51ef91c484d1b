//! `#[tree(parent, max_depth = 16)]`

use syn::Expr;

use super::{Model, Number};
use crate::words::words;

words! {
    /// What a field of a tree holds.
    pub(crate) enum TreeRole {
        Parent = "parent",
        Ancestors = "ancestors",
        Path = "path",
        Depth = "depth",
    }
}

impl Model {
    /// Whether its documents form trees.
    pub(crate) fn has_tree(&self) -> bool {
        self.record.fields.iter().any(|field| field.tree.is_some())
    }
}

/// What a field of a tree holds, with the user's word for it.
pub(crate) struct Tree {
    pub(crate) role: TreeRole,
    pub(crate) tokens: Expr,
    /// How many ancestors a document may have; said of the parent.
    pub(crate) max_depth: Option<Number>,
    /// What a delete does to the children; said of the parent.
    pub(crate) on_delete: Option<super::OnDelete>,
}
