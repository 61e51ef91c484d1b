//! The mirror of a `two_way` relation.

use super::{DeleteRule, ModelDefinition, Target};

/// A field that mirrors a relation of another model: `#[relation(.., two_way, of = Task::owner)]`.
#[derive(Clone, Copy, Debug)]
pub struct MirrorDefinition {
    /// The field, in Rust.
    pub field: &'static str,
    /// The model whose relation is mirrored.
    pub child: Target,
    /// The field of that relation, in Rust.
    pub child_field: &'static str,
    /// What a delete does to those that refer to the deleted document, if it is said.
    pub on_delete: Option<DeleteRule>,
}

impl MirrorDefinition {
    /// The field that mirrors the relation that `child` stores in `child_field`.
    pub const fn new(
        field: &'static str,
        child: Target,
        child_field: &'static str,
        on_delete: Option<DeleteRule>,
    ) -> Self {
        MirrorDefinition { field, child, child_field, on_delete }
    }

    /// The definition of the model whose relation is mirrored.
    pub fn child(&self) -> &'static ModelDefinition {
        (self.child.definition)()
    }
}
