//! `#[tree(parent, max_depth = 16)]`

use syn::Expr;

use super::Number;
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

/// What a field of a tree holds, with the user's word for it.
pub(crate) struct Tree {
    pub(crate) role: TreeRole,
    pub(crate) tokens: Expr,
    /// How many ancestors a document may have; said of the parent.
    pub(crate) max_depth: Option<Number>,
    /// What a delete does to the children; said of the parent.
    pub(crate) on_delete: Option<super::OnDelete>,
}
