//! Rule: `unindexed_reference`. The page is `guide/pages/rules/unindexed_reference.md`.

use crate::{
    checks::schema_index::SchemaIndex,
    definition::{
        Allow, DeleteRule, Direction, IndexDefinition, ModelDefinition, RelationDefinition, copy_inside, each, find,
        refuse, str_eq,
    },
};

const ID: &str = "unindexed_reference";

/// Judges the arrays of references of model number `at` of a schema.
#[track_caller]
pub(in crate::checks) const fn enforce<const N: usize>(schema: &SchemaIndex<N>, at: usize) {
    let holder = schema.models[at];
    if Allow::any(holder.allows, ID) {
        return;
    }
    each!(for relation in holder.relations {
        if relation.is_array()
            && !relation.storage.is_mirrored()
            && let Some(target) = target_of(schema, relation)
            && let Some(ruled) = ruled_field(target)
            && !is_indexed(holder, relation)
        {
            refuse! {
                "`{}.{}` refers to `{}` without an index: a delete follows the rule of the inverse `{}` and leaves the references in this array behind, and a search for the references reads every `{}`",
                    holder.model, relation.field, target.model, ruled, holder.model;
                help: "name the far side to create the index: write `inverse = ..` in this relation and `#[inverse(.., on_delete = pull)]` on `{}`; or give a reason: `#[model(.., allow(unindexed_reference, reason = \"..\"))]`",
                    target.model
            }
        }
    });
}

const fn target_of<const N: usize>(
    schema: &SchemaIndex<N>,
    relation: &RelationDefinition,
) -> Option<&'static ModelDefinition> {
    let Some(target) = &relation.target else { return None };
    match schema.find(target.name) {
        Some(at) => Some(schema.models[at]),
        None => None,
    }
}

/// Returns the far side of a relation for which the model declares a delete rule.
const fn ruled_field(model: &ModelDefinition) -> Option<&'static str> {
    each!(for inverse in model.inverses {
        if let Some(rule) = inverse.on_delete
            && !matches!(rule, DeleteRule::NoAction)
        {
            return Some(inverse.accessor);
        }
    });
    None
}

/// Returns whether an index begins with the references.
const fn is_indexed(holder: &ModelDefinition, relation: &RelationDefinition) -> bool {
    // A copy that follows its source is found by the reference.
    if let (Some(_), Some(field)) = (relation.by, find(holder.fields, relation.field))
        && copy_inside(&field.shape, 0).is_some()
    {
        return true;
    }
    each!(for index in holder.all_indexes {
        if begins_with(index, relation) {
            return true;
        }
    });
    false
}

const fn begins_with(index: &IndexDefinition, relation: &RelationDefinition) -> bool {
    let is_collated = match &index.collation {
        Some(collation) => !collation.is_simple(),
        None => false,
    };
    let is_special = index.hidden || index.sparse || is_collated;
    if is_special || !index.partial.is_empty() || index.keys.is_empty() {
        return false;
    }
    if !matches!(index.keys[0].direction, Direction::Ascending | Direction::Descending | Direction::Hashed) {
        return false;
    }
    let path = index.keys[0].path;
    match relation.by {
        None => path.len() == 1 && str_eq(path[0], relation.field),
        Some(by) => path.len() == 2 && str_eq(path[0], relation.field) && str_eq(path[1], by),
    }
}
