//! The mirror of a `two_way` relation.

use super::{DeleteRule, ModelDefinition, Target};

/// A field that mirrors a relation of another model: `#[relation(.., two_way, of = Task::owner)]`.
#[derive(Clone, Copy, Debug)]
pub struct MirrorDefinition {
    /// The field, in Rust.
    pub field: &'static str,
    /// The model whose relation is mirrored.
    pub child: Target,
    /// The field of the mirrored relation, in Rust.
    pub child_field: &'static str,
    /// The effect of a delete on the referring documents, if a rule is declared.
    pub on_delete: Option<DeleteRule>,
}

impl MirrorDefinition {
    /// Creates the mirror `field` of the relation that `child` stores in `child_field`.
    pub const fn new(
        field: &'static str,
        child: Target,
        child_field: &'static str,
        on_delete: Option<DeleteRule>,
    ) -> Self {
        MirrorDefinition { field, child, child_field, on_delete }
    }

    /// Returns the definition of the model whose relation is mirrored.
    pub fn child(&self) -> &'static ModelDefinition {
        (self.child.definition)()
    }
}
