//! Rule: `delete_rule`
//!
//! What a delete does to those that refer to the deleted document (`on_delete`) is something that can be done to them: `nullify` is for
//! an `Option`, `pull` for an array of references; what may dangle (`#[reference(may_dangle)]`), a model that this application does not
//! write and an array that both ends store have rules of their own. A `two_way` whose reference is no `Option` says `restrict` or `cascade`,
//! since nothing else leaves it right. Cascades do not lead in a circle, but in a tree, which has none, nor to a model that
//! something keeps by `restrict`: the delete could be refused when half of it is done. A cascade into squillions is a long write: `allow(delete_rule,
//! reason = "..")` in the `#[inverse(..)]` says that it is meant; it goes in chunks, and `recover` goes on with it.
//!
//! Source: MongoDB has no foreign keys; the rules are those of SQL's `ON DELETE`, `pull` that of an array. Django's and MongoEngine's
//! delete rules are the model of "in chunks, by the client", and fail on a class that is not loaded.

use super::schema_index::{Edge, SchemaIndex, Step};
use crate::{
    definition::{
        Allow, DeleteRule, FieldDefinition, Message, ModelDefinition, RelationDefinition, find, find_relation,
    },
    model::Model,
};

/// `#[inverse(accessor = Child::field, on_delete = ..)]` on `Parent`.
#[track_caller]
pub const fn inverse_on_delete<Parent: Model, Child: Model>(at: usize) {
    let (child, inverse) = (Child::DEFINITION, &Parent::INVERSES[at]);
    if !child.whole {
        return;
    }
    let Some(rule) = inverse.on_delete else { return };
    let (Some(relation), Some(field)) =
        (find_relation(Child::RELATIONS, inverse.field), find(Child::FIELDS, inverse.field))
    else {
        return;
    };
    enforce(child, relation, field, rule);
    // Who writes `cascade` in a tree means the subtree.
    let is_long =
        field.tree.is_none() && relation.cardinality.is_without_limit() && !Allow::any(inverse.allows, "delete_rule");
    if is_long && matches!(rule, DeleteRule::Cascade) {
        of(child, inverse.field)
            .text("` is `one_to_squillions`: a cascade deletes any number of documents with one of ")
            .code(Parent::DEFINITION.model)
            .text("\nhelp: if that is meant, say so: `allow(delete_rule, reason = \"..\")`; or `restrict`, and delete them in parts\nrule: delete_rule")
            .fail()
    }
}

/// `on_delete = ..`, or none, beside the mirror number `at` of `Parent`.
#[track_caller]
pub const fn mirror_on_delete<Parent: Model, Child: Model>(at: usize) {
    let (child, mirror) = (Child::DEFINITION, &Parent::MIRRORS[at]);
    if !child.whole {
        return;
    }
    let (Some(relation), Some(field)) =
        (find_relation(Child::RELATIONS, mirror.child_field), find(Child::FIELDS, mirror.child_field))
    else {
        return;
    };
    match mirror.on_delete {
        None if !relation.is_array() && !field.shape.nullable => of(child, mirror.child_field)
            .text("` always refers to one, so a delete of what it refers to cannot leave it as it is")
            .text("\nhelp: say what a delete does: `on_delete = restrict` or `on_delete = cascade`; or make it an `Option`\nrule: delete_rule")
            .fail(),
        None => {}
        Some(DeleteRule::NoAction) => Message::new()
            .text("with `no_action` a delete would leave this end without the other, and both agree in a `two_way`")
            .text("\nhelp: write `restrict`, `cascade` or `")
            .text(if relation.is_array() { "pull" } else { "nullify" })
            .text("`\nrule: delete_rule")
            .fail(),
        Some(rule) => enforce(child, relation, field, rule),
    }
}

#[track_caller]
const fn enforce(child: &ModelDefinition, relation: &RelationDefinition, field: &FieldDefinition, rule: DeleteRule) {
    if matches!(rule, DeleteRule::NoAction) {
        return;
    }
    if child.read_only {
        Message::new()
            .code(child.model)
            .text(" is `read_only`: a delete cannot change what this application does not write")
            .text("\nhelp: remove `on_delete`\nrule: delete_rule")
            .fail()
    }
    if child.bucket.is_some() {
        Message::new()
            .code(child.model)
            .text(" is stored in buckets: a delete leaves them, since each holds many children and may have another one any time")
            .text("\nhelp: remove `on_delete`, and delete the children first; or remove `bucket(..)` there\nrule: delete_rule")
            .fail()
    }
    if field.may_dangle {
        of(child, relation.field)
            .text("` may dangle (`#[reference(may_dangle)]`), and a delete rule is there so that it does not")
            .text("\nhelp: remove one of the two\nrule: delete_rule")
            .fail()
    }
    if matches!(rule, DeleteRule::Cascade)
        && let Some(accessor) = kept_by(child)
    {
        Message::new()
            .text("a cascade deletes each ")
            .code(child.model)
            .text(", and `")
            .text(accessor)
            .text("` of it has `on_delete = restrict`: a delete could be refused when half of it is done")
            .text("\nhelp: write `restrict` here too, or `cascade` there\nrule: delete_rule")
            .fail()
    }
    match rule {
        DeleteRule::Nullify if relation.is_array() => of(child, relation.field)
            .text("` is an array, in which a null would be left\nhelp: write `on_delete = pull`, which takes the reference out of it\nrule: delete_rule")
            .fail(),
        DeleteRule::Nullify if !field.shape.nullable => of(child, relation.field)
            .text("` is no `Option`, and cannot be null\nhelp: make it an `Option<Ref<..>>`; or write `on_delete = restrict` or `on_delete = cascade`\nrule: delete_rule")
            .fail(),
        DeleteRule::Pull if !relation.is_array() => of(child, relation.field)
            .text("` is one reference, and `pull` takes one out of an array\nhelp: write `on_delete = nullify`, `restrict` or `cascade`\nrule: delete_rule")
            .fail(),
        _ => {}
    }
}

/// What of a model refuses its deletes.
const fn kept_by(model: &ModelDefinition) -> Option<&'static str> {
    let mut at = 0;
    while at < model.inverses.len() {
        if matches!(model.inverses[at].on_delete, Some(DeleteRule::Restrict)) {
            return Some(model.inverses[at].accessor);
        }
        at += 1;
    }
    let mut at = 0;
    while at < model.mirrors.len() {
        if matches!(model.mirrors[at].on_delete, Some(DeleteRule::Restrict)) {
            return Some(model.mirrors[at].field);
        }
        at += 1;
    }
    None
}

/// No cascade of a model of the schema leads back to it.
#[track_caller]
pub(super) const fn enforce_schema<const N: usize>(schema: &SchemaIndex<N>, at: usize) {
    if !schema.has_cascade_circle {
        return;
    }
    let reached = reached_from(schema, at);
    // One circle, one message: at the first of its models that is listed.
    let mut earlier = 0;
    while earlier < at {
        if reached[earlier] && reached_from(schema, earlier)[at] {
            return;
        }
        earlier += 1;
    }
    if reached[at] {
        Message::new()
            .text("a delete of one ")
            .code(schema.models[at].model)
            .text(" cascades back to others of it, in a circle\nhelp: write `restrict` or `no_action` at one of the `on_delete`s on the way\nrule: delete_rule")
            .fail()
    }
}

/// The models to which cascades lead from a model.
const fn reached_from<const N: usize>(schema: &SchemaIndex<N>, start: usize) -> [bool; N] {
    let (mut reached, mut queue) = ([false; N], [0; N]);
    let (mut next, mut end, mut from) = (0, 0, start);
    loop {
        let mut number = 0;
        loop {
            match schema.step(Edge::Cascade, from, number) {
                Step::To(to) if !reached[to] => {
                    reached[to] = true;
                    queue[end] = to;
                    end += 1;
                }
                Step::To(_) | Step::Nowhere => {}
                Step::End => break,
            }
            number += 1;
        }
        if next == end {
            return reached;
        }
        from = queue[next];
        next += 1;
    }
}

const fn of(child: &ModelDefinition, field: &str) -> Message {
    Message::new().text("`").text(child.model).text(".").text(field)
}
