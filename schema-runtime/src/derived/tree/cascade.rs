//! Trees in which a delete also deletes the whole subtree. Before any further effect, the transaction of the delete writes the rest of a
//! large move of the document, since no record of the move remains afterwards.

use super::complete::delete;
use crate::{
    definition::{DeleteRule, FieldDefinition, ModelDefinition, TreeField},
    derived::effect::{Effect, OneWrite, Running},
};

pub(crate) const CASCADE: Effect = Effect {
    concerns: cascades,
    begin: |_, _, _| Box::new(Cascading),
    alone: |_| Box::new(|_| false),
    atomic: |_| Box::new(|write| matches!(write, OneWrite::Delete)),
    shares: |_, _| None,
    gathers: |_, _, _| false,
    prepares: false,
    delete: |_| {
        Some(|context, definition, filter, many, others| Box::pin(delete(context, definition, filter, many, others)))
    },
    owns: |_, _, _| false,
    unchanged: |_, _| Vec::new(),
    nested: |_| Vec::new(),
    is_same: |_, _, _, _| true,
    compares: |_| false,
    inserts_again: |_, _, _| false,
    indexes: |_| Vec::new(),
};

/// Returns whether a delete also deletes the children. Some of the children may still have old ancestors.
fn cascades(definition: &ModelDefinition) -> bool {
    let holds = |field: &FieldDefinition, of: &[TreeField]| field.tree.is_some_and(|(tree, _)| of.contains(&tree));
    let is_parent = |name: &str| definition.field(name).is_some_and(|field| holds(field, &[TreeField::Parent]));
    let mut inverses = definition.inverses.iter();
    definition.fields.iter().any(|field| holds(field, &[TreeField::Ancestors, TreeField::Path]))
        && inverses.any(|inverse| inverse.on_delete == Some(DeleteRule::Cascade) && is_parent(inverse.field))
}

/// The effect beside a write: no work, since the effect acts only on deletes.
#[derive(Debug)]
struct Cascading;

impl Running for Cascading {}
