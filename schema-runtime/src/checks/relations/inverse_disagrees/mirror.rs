//! The two ends of a `two_way`: the relation names its mirror by `inverse = ..`, and the mirror names the relation by `of = ..`.

use super::refers_elsewhere;
use crate::{
    definition::{Message, MirrorDefinition, RelationDefinition, find_relation, last_segment, str_before, str_eq},
    model::Model,
};

/// Judges `of = Child::field` in the relation `mirror` of `Parent`.
#[track_caller]
pub const fn mirror_field<Parent: Model, Child: Model>(mirror: &str, field: &str) {
    let child = Child::DEFINITION;
    if !child.whole {
        return;
    }
    let Some(own) = find_relation(Parent::RELATIONS, mirror) else { return };
    let Some(relation) = find_relation(Child::RELATIONS, field) else { no_relation::<Parent, Child>(own, field) };
    if !relation.is_mirrored() {
        if is_mutual::<Parent, Child>(mirror, field) {
            return nothing_written::<Parent, Child>(own, field);
        }
        Message::new()
            .field(child.model, &[field])
            .text(if relation.is_mirror {
                " mirrors a relation itself"
            } else {
                " is not `two_way`, and nothing would keep this end of it"
            })
            .text("\nhelp: write `#[relation(")
            .text(own.cardinality.word())
            .text(", two_way, inverse = ")
            .text(mirror)
            .text(")]` there\nrule: inverse_disagrees")
            .fail()
    }
    let target = match &relation.target {
        Some(target) => target.name,
        None => "nothing",
    };
    if !str_eq(target, Parent::NAME) {
        refers_elsewhere(child.model, field, last_segment(target), Parent::DEFINITION.model)
    }
    if let Some(inverse) = relation.inverse
        && !str_eq(inverse, mirror)
    {
        // When the relation names a field that does not mirror the relation, the relation has the message.
        match find(Parent::MIRRORS, inverse) {
            Some(other) if is_of(other, Child::NAME, field) => {}
            _ => return,
        }
        Message::new()
            .text("`")
            .text(child.model)
            .text(".")
            .text(field)
            .text("` is mirrored by ")
            .code(inverse)
            .text(", not by this field\nhelp: remove this relation; or write `inverse = ")
            .text(mirror)
            .text("` there\nrule: inverse_disagrees")
            .fail()
    }
    let refers_back = match &own.target {
        Some(target) => str_eq(target.name, Child::NAME),
        None => false,
    };
    if !refers_back {
        Message::new()
            .code(mirror)
            .text(" mirrors a relation of ")
            .code(child.model)
            .text(", and does not refer to it\nhelp: make it a `Vec<Ref<")
            .text(child.model)
            .text(">>`\nrule: inverse_disagrees")
            .fail()
    }
    if !str_eq(own.cardinality.word(), relation.cardinality.word()) {
        Message::new()
            .text("`")
            .text(child.model)
            .text(".")
            .text(field)
            .text("` is `")
            .text(relation.cardinality.word())
            .text("`, and this end of it `")
            .text(own.cardinality.word())
            .text("`\nhelp: write the same at both ends\nrule: inverse_disagrees")
            .fail()
    }
}

/// Judges `inverse = mirror` in the `two_way` relation `field` of `Child` to `Parent`.
#[track_caller]
pub const fn mirror_named<Child: Model, Parent: Model>(field: &str, mirror: &str) {
    let parent = Parent::DEFINITION;
    if !parent.whole {
        return;
    }
    let Some(found) = find(Parent::MIRRORS, mirror) else { return no_mirror::<Child, Parent>(field, mirror) };
    let is_of_child = str_eq(found.child.name, Child::NAME);
    // When the mirror names a missing relation, or a model that the mirror does not refer to, the mirror has the message.
    let is_right = match find_relation(Parent::RELATIONS, mirror) {
        Some(RelationDefinition { target: Some(target), .. }) => str_eq(target.name, found.child.name),
        _ => false,
    };
    if !is_right || is_of_child && find_relation(Child::RELATIONS, found.child_field).is_none() {
        return;
    }
    if !is_of_child || !str_eq(found.child_field, field) {
        let message = Message::new().field(parent.model, &[mirror]).text(" mirrors ");
        let message = match is_of_child {
            true => message.text("the field ").code(found.child_field),
            false => message.field(last_segment(found.child.name), &[found.child_field]),
        };
        let message = message.text(", not this one\nhelp: ");
        match mirror_of(Parent::MIRRORS, Child::NAME, field) {
            Some(other) => message.texts(&["write `inverse = ", other.field, "`, the field that mirrors this one"]),
            None => message.text("name the field that mirrors this one"),
        }
        .text("\nrule: inverse_disagrees")
        .fail()
    }
}

/// Reports an `of = ..` that names a field without a relation.
#[track_caller]
const fn no_relation<Parent: Model, Child: Model>(own: &RelationDefinition, field: &str) -> ! {
    let child = Child::DEFINITION.model;
    let message = Message::new().code(child).text(" has no relation in a field ").code(field).text("\nhelp: ");
    let mut at = 0;
    while at < Child::RELATIONS.len() {
        let relation = &Child::RELATIONS[at];
        if let (Some(inverse), Some(target), true) = (relation.inverse, &relation.target, relation.is_mirrored())
            && str_eq(inverse, own.field)
            && str_eq(target.name, Parent::NAME)
        {
            let said = ["write `of = ", child, "::", relation.field, "`, the relation that names this field"];
            message.texts(&said).text("\nrule: inverse_disagrees").fail()
        }
        at += 1;
    }
    message
        .texts(&["declare it there: `#[relation(", own.cardinality.word(), ", two_way, inverse = ", own.field])
        .text(")]`\nrule: inverse_disagrees")
        .fail()
}

/// Reports an `inverse = mirror` that names a field without a mirror.
#[track_caller]
const fn no_mirror<Child: Model, Parent: Model>(field: &str, mirror: &str) {
    let (child, parent) = (Child::DEFINITION.model, Parent::DEFINITION.model);
    let cardinality = match find_relation(Child::RELATIONS, field) {
        Some(relation) => relation.cardinality.word(),
        None => "many_to_many",
    };
    if str_eq(Child::NAME, Parent::NAME) && str_eq(field, mirror) {
        one_end(child, field, cardinality)
    }
    let of = Message::new().texts(&["of = ", child, "::", field]);
    let message = Message::new();
    let message = match (mirror_of(Parent::MIRRORS, Child::NAME, field), find_relation(Parent::RELATIONS, mirror)) {
        (Some(other), _) => message.code(parent).text(" has no field ").code(mirror).texts(&[
            " that mirrors this relation\nhelp: write `inverse = ",
            other.field,
            "`, the field that mirrors it",
        ]),
        (None, Some(relation)) if is_written_by(relation, Child::NAME, field) => {
            // One of the two fields has the message.
            if !is_first::<Child, Parent>(field, mirror) {
                return;
            }
            message
                .field(parent, &[mirror])
                .text(" names this field as its mirror, and this field names that one: one end of a `two_way` mirrors the other\nhelp: write `")
                .message(&of)
                .texts(&["` there, in place of `inverse = ", field, "`"])
        }
        (None, Some(_)) => message
            .field(parent, &[mirror])
            .texts(&[" does not mirror this relation\nhelp: write `#[relation(", cardinality, ", two_way, "])
            .message(&of)
            .text(", max = 1_000)]` there"),
        (None, None) => message
            .code(parent)
            .text(" has no field ")
            .code(mirror)
            .texts(&[" that mirrors this relation\nhelp: add `#[relation(", cardinality, ", two_way, "])
            .message(&of)
            .texts(&[", max = 1_000)] ", mirror, ": Vec<Ref<", child, ">>` to it"]),
    };
    message.text("\nrule: inverse_disagrees").fail()
}

/// Returns whether `field` of `Child` mirrors the field `mirror` of `Parent`.
const fn is_mutual<Parent: Model, Child: Model>(mirror: &str, field: &str) -> bool {
    match find(Child::MIRRORS, field) {
        Some(back) => is_of(back, Parent::NAME, mirror),
        None => false,
    }
}

/// Reports two fields that mirror each other. One of the two fields has the message.
#[track_caller]
const fn nothing_written<Parent: Model, Child: Model>(own: &RelationDefinition, field: &str) {
    let child = Child::DEFINITION.model;
    if str_eq(Child::NAME, Parent::NAME) && str_eq(field, own.field) {
        one_end(child, field, own.cardinality.word())
    }
    if is_first::<Parent, Child>(own.field, field) {
        Message::new()
            .field(child, &[field])
            .text(" mirrors this field, and this field mirrors that one: one end of a `two_way` is written")
            .texts(&["\nhelp: write `inverse = ", field, "` here, in place of `of = ", child, "::", field])
            .text("`\nrule: inverse_disagrees")
            .fail()
    }
}

/// Reports a relation that is both ends of itself.
#[track_caller]
const fn one_end(model: &str, field: &str, cardinality: &str) -> ! {
    Message::new()
        .text("a `two_way` relation has two ends, each in a field of its own, and ")
        .code(field)
        .text(" is named as both")
        .texts(&["\nhelp: write `inverse = ", field, "_of` here, and add the other end: `#[relation(", cardinality])
        .texts(&[", two_way, of = ", model, "::", field, ", max = 1_000)] ", field, "_of: Vec<Ref<", model, ">>`"])
        .text("\nrule: inverse_disagrees")
        .fail()
}

/// Returns whether the relation is the written end of a `two_way` to `child`, and names `field` of `child` as its mirror.
const fn is_written_by(relation: &RelationDefinition, child: &str, field: &str) -> bool {
    match (relation.inverse, &relation.target) {
        (Some(inverse), Some(target)) => relation.is_mirrored() && str_eq(inverse, field) && str_eq(target.name, child),
        _ => false,
    }
}

/// Returns whether the field `here` has the message of a mistake that two fields make.
const fn is_first<Here: Model, There: Model>(here: &str, there: &str) -> bool {
    match str_eq(Here::NAME, There::NAME) {
        true => str_before(here, there),
        false => str_before(Here::NAME, There::NAME),
    }
}

/// Returns whether the mirror is of the relation that `child` stores in `field`.
const fn is_of(mirror: &MirrorDefinition, child: &str, field: &str) -> bool {
    str_eq(mirror.child.name, child) && str_eq(mirror.child_field, field)
}

/// Returns the field that mirrors the relation that `child` stores in `field`.
const fn mirror_of(
    mirrors: &'static [MirrorDefinition],
    child: &str,
    field: &str,
) -> Option<&'static MirrorDefinition> {
    let mut at = 0;
    while at < mirrors.len() {
        if is_of(&mirrors[at], child, field) {
            return Some(&mirrors[at]);
        }
        at += 1;
    }
    None
}

const fn find(mirrors: &'static [MirrorDefinition], field: &str) -> Option<&'static MirrorDefinition> {
    let mut at = 0;
    while at < mirrors.len() {
        if str_eq(mirrors[at].field, field) {
            return Some(&mirrors[at]);
        }
        at += 1;
    }
    None
}
