//! Rule: `unindexed_reference`
//!
//! Where a model says what its deletes do to those that refer to it (`on_delete`), every array of references to it can be found by an index.
//! An array that does not name its far side has none, and no rule: a delete leaves its references behind, and to find them reads every
//! document. `inverse = ..` brings the index, and its far side may have a rule; an index or a query that begins with the references does too.
//! One reference (`parent_ref`) has its index by itself, both ends of a `two_way` know each other, copies beside references have an index, and a `Ref` without `#[relation]` is left alone: nothing says how it is used.
//! `allow(unindexed_reference, reason = "..")` in the `#[model(..)]` of the holder silences it.
//!
//! Source: Zola's rule 4 ("if you index correctly"), and what SQL's linters call an unindexed foreign key.

use super::schema_index::SchemaIndex;
use crate::definition::{
    Allow, DeleteRule, IndexDefinition, Message, ModelDefinition, RelationDefinition, copy_inside, find, str_eq,
};

const ID: &str = "unindexed_reference";

/// The arrays of references of model number `at` of a schema.
#[track_caller]
pub(super) const fn enforce<const N: usize>(schema: &SchemaIndex<N>, at: usize) {
    let holder = schema.models[at];
    if Allow::any(holder.allows, ID) {
        return;
    }
    let mut number = 0;
    while number < holder.relations.len() {
        let relation = &holder.relations[number];
        if relation.is_array()
            && !relation.storage.is_mirrored()
            && let Some(target) = target_of(schema, relation)
            && let Some(ruled) = ruled_field(target)
            && !is_indexed(holder, relation)
        {
            Message::new()
                .field(holder.model, &[relation.field])
                .text(" refers to ")
                .code(target.model)
                .text(" by no index: a delete of one does what its ")
                .code(ruled)
                .text(" says and leaves these references behind, and to find them reads every ")
                .code(holder.model)
                .text("\nhelp: name the far side, which brings the index: `inverse = ..` in this relation and `#[inverse(.., on_delete = pull)]` on ")
                .code(target.model)
                .text("; or give a reason: `#[model(.., allow(unindexed_reference, reason = \"..\"))]`\nrule: unindexed_reference")
                .fail()
        }
        number += 1;
    }
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

/// The far side of a relation for which the model says what its deletes do.
const fn ruled_field(model: &ModelDefinition) -> Option<&'static str> {
    let mut at = 0;
    while at < model.inverses.len() {
        if let Some(rule) = model.inverses[at].on_delete
            && !matches!(rule, DeleteRule::NoAction)
        {
            return Some(model.inverses[at].accessor);
        }
        at += 1;
    }
    None
}

/// Whether an index begins with the references.
const fn is_indexed(holder: &ModelDefinition, relation: &RelationDefinition) -> bool {
    // What follows its source is found by its reference.
    if let (Some(_), Some(field)) = (relation.by, find(holder.fields, relation.field))
        && copy_inside(&field.shape, 0).is_some()
    {
        return true;
    }
    let mut at = 0;
    while at < holder.all_indexes.len() {
        if begins_with(&holder.all_indexes[at], relation) {
            return true;
        }
        at += 1;
    }
    false
}

const fn begins_with(index: &IndexDefinition, relation: &RelationDefinition) -> bool {
    if index.sparse || !index.partial.is_empty() || index.keys.is_empty() {
        return false;
    }
    let path = index.keys[0].path;
    match relation.by {
        None => path.len() == 1 && str_eq(path[0], relation.field),
        Some(by) => path.len() == 2 && str_eq(path[0], relation.field) && str_eq(path[1], by),
    }
}
