//! Rule: `delete_rule`. The page is `guide/pages/rules/delete_rule.md`.

use crate::{
    checks::{
        fields::immutable_field,
        schema_index::{Edge, SchemaIndex, Step},
    },
    definition::{
        Allow, DeleteRule, FieldDefinition, InverseDefinition, ModelDefinition, RelationDefinition, each, find,
        find_relation, is_tree, last_segment, refuse, str_eq, text,
    },
    model::Model,
};

const ID: &str = "delete_rule";

/// Judges `#[inverse(accessor = Child::field, on_delete = ..)]` on `Parent`.
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
    enforce_once::<Parent>(at, field, rule);
    enforce(child, relation, field, rule);
    // A user who writes `cascade` in a tree means the subtree.
    let is_long = field.tree.is_none() && relation.cardinality.is_without_limit() && !Allow::any(inverse.allows, ID);
    if is_long && matches!(rule, DeleteRule::Cascade) {
        refuse! {
            "`{}.{}` is `one_to_squillions`: a cascade deletes any number of documents together with a `{}`",
                child.model, inverse.field, Parent::DEFINITION.model;
            help: "if the cascade is intended, write `allow(delete_rule, reason = \"..\")`; or write `restrict`, and delete the documents in parts"
        }
    }
}

/// Refuses a second rule from another inverse of the same relation. The inverse of a tree is the last inverse, and the
/// mistake is at the other inverse.
#[track_caller]
const fn enforce_once<Parent: Model>(at: usize, field: &FieldDefinition, rule: DeleteRule) {
    let (inverses, inverse) = (Parent::INVERSES, &Parent::INVERSES[at]);
    let end = if field.tree.is_some() { inverses.len() } else { at };
    let mut other = 0;
    while other < end {
        let said = &inverses[other];
        if other != at
            && str_eq(said.child.name, inverse.child.name)
            && str_eq(said.field, inverse.field)
            && let Some(first) = said.on_delete
            && !first.is(rule)
            && (field.tree.is_none() || is_of_tree(inverses, other))
        {
            let first = first.word();
            let (place, help) = match field.tree.is_some() {
                true => (
                    text!("tree has `on_delete = {}`", first),
                    "remove `on_delete` here; a tree has the delete rule at the parent: `#[tree(parent, on_delete = cascade)]`",
                ),
                false => (
                    text!("inverse `{}` has `{}`", said.accessor, first),
                    "write `on_delete` at only one of the two inverses",
                ),
            };
            refuse! {
                "the relation `{}.{}` has two different delete rules: the {}, and this inverse has `{}`",
                    last_segment(inverse.child.name), inverse.field, place.as_str(), rule.word();
                help: "{}", help
            }
        }
        other += 1;
    }
}

/// Returns whether the inverse is the accessor `children` of a tree.
const fn is_of_tree(inverses: &[InverseDefinition], at: usize) -> bool {
    at + 1 == inverses.len() && str_eq(inverses[at].accessor, "children")
}

/// Judges `on_delete = ..`, or a missing `on_delete`, beside the mirror number `at` of `Parent`.
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
        None if !relation.is_array() && !field.shape.nullable => refuse! {
            "`{}.{}` always refers to a document, so a delete of the document cannot leave the reference unchanged",
                child.model, mirror.child_field;
            help: "write `on_delete = restrict` or `on_delete = cascade`; or make the reference an `Option`"
        },
        None => {}
        Some(DeleteRule::NoAction) => refuse! {
            "with `no_action` a delete would remove only one of the two ends, and both ends of a `two_way` agree";
            help: "write `restrict`, `cascade` or `{}`", if relation.is_array() { "pull" } else { "nullify" }
        },
        Some(rule) => enforce(child, relation, field, rule),
    }
}

#[track_caller]
const fn enforce(child: &ModelDefinition, relation: &RelationDefinition, field: &FieldDefinition, rule: DeleteRule) {
    if matches!(rule, DeleteRule::NoAction) {
        return;
    }
    if child.read_only {
        refuse! {
            "`{}` is `read_only`: a delete cannot change documents that this application does not write", child.model;
            help: "remove `on_delete`"
        }
    }
    if child.insert_only && !matches!(rule, DeleteRule::Restrict) {
        refuse! {
            "`{}` is `insert_only`: the documents are never changed or deleted, and `{}` {} documents",
                child.model, rule.word(), if matches!(rule, DeleteRule::Cascade) { "deletes" } else { "changes" };
            help: "write `on_delete = restrict`, or remove `insert_only` there"
        }
    }
    if child.bucket.is_some() {
        refuse! {
            "`{}` is stored in buckets: a delete leaves the buckets, since each bucket holds many children and may get another child at any time",
                child.model;
            help: "remove `on_delete`, and delete the children first; or remove `bucket(..)` there"
        }
    }
    if field.may_dangle {
        refuse! {
            "`{}.{}` may dangle (`#[reference(may_dangle)]`), and a delete rule exists to prevent dangling references",
                child.model, relation.field;
            help: "remove `on_delete`, or remove `may_dangle`"
        }
    }
    if matches!(rule, DeleteRule::Cascade)
        && let Some(accessor) = kept_by(child)
    {
        refuse! {
            "a cascade deletes each `{}`, and `{}` of this child has `on_delete = restrict`: the delete could be refused when half of the delete is done",
                child.model, accessor;
            help: "write `restrict` here too, or `cascade` there"
        }
    }
    immutable_field::enforce_delete_rule(child.model, field, rule);
    match rule {
        DeleteRule::Nullify if relation.is_array() => refuse! {
            "`{}.{}` is an array, and `nullify` would leave a null in the array", child.model, relation.field;
            help: "write `on_delete = pull` to remove the reference from the array"
        },
        DeleteRule::Nullify if !field.shape.nullable => refuse! {
            "`{}.{}` is not an `Option` and cannot be null", child.model, relation.field;
            help: "make the reference an `Option<Ref<..>>`; or write `on_delete = restrict` or `on_delete = cascade`"
        },
        DeleteRule::Pull if !relation.is_array() => refuse! {
            "`{}.{}` is a single reference, and `pull` removes a reference from an array", child.model, relation.field;
            help: "write `on_delete = nullify`, `restrict` or `cascade`"
        },
        _ => {}
    }
}

/// Returns the inverse or mirror that refuses deletes of a model.
const fn kept_by(model: &ModelDefinition) -> Option<&'static str> {
    let mut at = 0;
    while at < model.inverses.len() {
        let inverse = &model.inverses[at];
        // An inverse beside a tree cannot have a rule: `enforce_once` reports the rule.
        let is_beside = !is_of_tree(model.inverses, at)
            && str_eq(inverse.child.name, model.name)
            && is_tree(model.fields, inverse.field);
        if !is_beside && matches!(inverse.on_delete, Some(DeleteRule::Restrict)) {
            return Some(inverse.accessor);
        }
        at += 1;
    }
    each!(for mirror in model.mirrors {
        if matches!(mirror.on_delete, Some(DeleteRule::Restrict)) {
            return Some(mirror.field);
        }
    });
    None
}

/// Refuses cascades of a model of the schema that lead back to the model.
#[track_caller]
pub(in crate::checks) const fn enforce_schema<const N: usize>(schema: &SchemaIndex<N>, at: usize) {
    if !schema.has_cascade_circle {
        return;
    }
    let reached = reached_from(schema, at);
    // Each circle has one message, at the first listed model of the circle.
    let mut earlier = 0;
    while earlier < at {
        if reached[earlier] && reached_from(schema, earlier)[at] {
            return;
        }
        earlier += 1;
    }
    if reached[at] {
        refuse! {
            "a delete of a `{}` cascades in a circle, back to documents of the same model", schema.models[at].model;
            help: "write `restrict` or `no_action` in an `on_delete` of the circle"
        }
    }
}

/// Returns the models to which cascades lead from a model.
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
