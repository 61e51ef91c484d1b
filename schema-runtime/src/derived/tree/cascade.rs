//! Trees in which a delete also deletes the whole subtree. Before any further effect, the transaction of the delete
//! writes the rest of a large move of the document, since no record of the move remains afterwards.

use super::complete::delete;
use crate::{
    definition::{DeleteRule, FieldDefinition, ModelDefinition, TreeField},
    derived::effect::{Delete, Demand, Demands, Effect, EffectRun, WriteStart, WriteView, Writer},
};

/// The effect of trees on deletes.
pub(crate) struct TreeCascades;

impl Effect for TreeCascades {
    fn name(&self) -> &'static str {
        "tree cascades"
    }

    fn concerns(&self, definition: &ModelDefinition) -> bool {
        cascades(definition)
    }

    fn begin(&self, _: &'static ModelDefinition, _: &WriteStart, _: Writer) -> Box<dyn EffectRun> {
        Box::new(Cascading)
    }

    fn demands(&self, _: &'static ModelDefinition) -> Demands {
        Box::new(|write| match write {
            WriteView::Delete => Demand::Transaction,
            WriteView::Insert | WriteView::Update { .. } => Demand::None,
        })
    }

    fn delete(&self, _: &'static ModelDefinition) -> Option<Delete> {
        Some(|context, definition, filter, reach, writer| Box::pin(delete(context, definition, filter, reach, writer)))
    }
}

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

impl EffectRun for Cascading {}
