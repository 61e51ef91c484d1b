//! Trees: the fields of a model and the part of a tree that each field holds.

use super::{FieldDefinition, Kind, Scalar, Shape, each, str_eq};

/// The part of a tree in a field with `#[tree(..)]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeField {
    /// The reference to the parent: all further fields of the tree follow from the reference.
    Parent,
    /// References to all ancestors, the root first.
    Ancestors,
    /// The `_id`s of all ancestors as one text, the root first, each with a `:` behind.
    Path,
    /// The number of ancestors.
    Depth,
}

/// The server lets a document have this many times `max_depth` ancestors: a move of many documents does not see
/// concurrent inserts, and must be able to end.
pub(crate) const HEADROOM: u64 = 2;

impl FieldDefinition {
    /// Adds `#[tree(..)]`, in a tree of this many levels below its roots.
    pub const fn tree(self, field: TreeField, max_depth: u64) -> Self {
        FieldDefinition { tree: Some((field, max_depth)), ..self }
    }

    /// Adds `#[tree(path)]`, with `_id`s of this shape.
    pub const fn tree_path(self, max_depth: u64, id: Shape) -> Self {
        let each = match id_len(&id) {
            // An `_id` with its separator.
            Some(len) => len + 1,
            None => 1,
        };
        let shape = self.shape.max_len(each * max_depth * HEADROOM);
        FieldDefinition { shape, ..self.tree(TreeField::Path, max_depth) }
    }
}

/// Returns whether the field of this Rust name is a field of a tree.
pub(crate) const fn is_tree(fields: &[FieldDefinition], rust_name: &str) -> bool {
    each!(for field in fields {
        if field.flat.is_none() && str_eq(field.rust_name, rust_name) {
            return field.tree.is_some();
        }
    });
    false
}

/// Returns how many characters an `_id` of this type has in a path; `None` when a path cannot hold the `_id`.
pub(crate) const fn id_len(shape: &Shape) -> Option<u64> {
    match shape.kind {
        Kind::Scalar(Scalar::ObjectId) => Some(24),
        Kind::Scalar(Scalar::Uuid) => Some(32),
        Kind::Scalar(Scalar::Integer) => Some(16),
        Kind::String { max_len } => max_len,
        _ => None,
    }
}
