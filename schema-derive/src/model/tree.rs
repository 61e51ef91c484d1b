//! `#[tree(parent, max_depth = 16)]`

use syn::Expr;

use super::{Model, Number};
use crate::words::words;

words! {
    /// The role of a field in a tree.
    pub(crate) enum TreeRole {
        Parent = "parent",
        Ancestors = "ancestors",
        Path = "path",
        Depth = "depth",
    }
}

impl Model {
    /// Returns whether the documents form trees.
    pub(crate) fn has_tree(&self) -> bool {
        self.record.fields.iter().any(|field| field.tree.is_some())
    }
}

/// The role of a field in a tree, with the user's word.
pub(crate) struct Tree {
    pub(crate) role: TreeRole,
    pub(crate) tokens: Expr,
    /// How many ancestors a document may have; only set on the parent.
    pub(crate) max_depth: Option<Number>,
    /// The effect of a delete on the children; only set on the parent.
    pub(crate) on_delete: Option<super::OnDelete>,
}
