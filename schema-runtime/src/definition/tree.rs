//! Trees: which field of a model holds what.

use super::{FieldDefinition, Kind, Scalar, Shape, str_eq};

/// What a field with `#[tree(..)]` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeField {
    /// The reference to the parent, which says what is right.
    Parent,
    /// References to all ancestors, the root first.
    Ancestors,
    /// The `_id`s of all ancestors as one text, the root first, each with a `:` behind it.
    Path,
    /// How many ancestors there are.
    Depth,
}

/// How many times `max_depth` the server lets a document have as its ancestors: a move of many documents does not see what others insert
/// meanwhile, and has to be able to end.
pub(crate) const HEADROOM: u64 = 2;

impl FieldDefinition {
    /// The same with `#[tree(..)]`, in a tree of so many levels below its roots.
    pub const fn tree(self, field: TreeField, max_depth: u64) -> Self {
        FieldDefinition { tree: Some((field, max_depth)), ..self }
    }

    /// The same with `#[tree(path)]`, of `_id`s of this shape.
    pub const fn tree_path(self, max_depth: u64, id: Shape) -> Self {
        let each = match id_len(&id) {
            // Each with its separator.
            Some(len) => len + 1,
            None => 1,
        };
        let shape = self.shape.max_len(each * max_depth * HEADROOM);
        FieldDefinition { shape, ..self.tree(TreeField::Path, max_depth) }
    }
}

/// Whether the field of this Rust name is of a tree.
pub(crate) const fn is_tree(fields: &[FieldDefinition], rust_name: &str) -> bool {
    let mut at = 0;
    while at < fields.len() {
        if str_eq(fields[at].rust_name, rust_name) {
            return fields[at].tree.is_some();
        }
        at += 1;
    }
    false
}

/// How many characters an `_id` of this type has in a path; `None` where it cannot be in one.
pub(crate) const fn id_len(shape: &Shape) -> Option<u64> {
    match shape.kind {
        Kind::Scalar(Scalar::ObjectId) => Some(24),
        Kind::Scalar(Scalar::Uuid) => Some(32),
        Kind::Scalar(Scalar::Integer) => Some(16),
        Kind::String { max_len } => max_len,
        _ => None,
    }
}
