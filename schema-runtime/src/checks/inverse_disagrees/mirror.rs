//! The two ends of a `two_way`: the relation names its mirror by `inverse = ..`, and the mirror the relation by `of = ..`.

use super::refers_elsewhere;
use crate::{
    checks::incomplete_schema::last_segment,
    definition::{Message, MirrorDefinition, find_relation, str_eq},
    model::Model,
};

/// `of = Child::field` in the relation `mirror` of `Parent`.
#[track_caller]
pub const fn mirror_field<Parent: Model, Child: Model>(mirror: &str, field: &str) {
    let child = Child::DEFINITION;
    if !child.whole {
        return;
    }
    let Some(own) = find_relation(Parent::RELATIONS, mirror) else { return };
    let Some(relation) = find_relation(Child::RELATIONS, field) else {
        Message::new()
            .code(child.model)
            .text(" has no relation in a field ")
            .code(field)
            .text("\nhelp: declare it there: `#[relation(")
            .text(own.cardinality.word())
            .text(", two_way, inverse = ")
            .text(mirror)
            .text(")]`\nrule: inverse_disagrees")
            .fail()
    };
    if !relation.is_mirrored() {
        Message::new()
            .text("`")
            .text(child.model)
            .text(".")
            .text(field)
            .text(if relation.is_mirror {
                "` mirrors a relation itself"
            } else {
                "` is not `two_way`, and nothing would keep this end of it"
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

/// `inverse = mirror` in the `two_way` relation `field` of `Child` to `Parent`.
#[track_caller]
pub const fn mirror_named<Child: Model, Parent: Model>(field: &str, mirror: &str) {
    let parent = Parent::DEFINITION;
    if !parent.whole {
        return;
    }
    let found = match find(Parent::MIRRORS, mirror) {
        Some(found) => found,
        None => Message::new()
            .code(parent.model)
            .text(" has no field ")
            .code(mirror)
            .text(" that mirrors this relation\nhelp: add `#[relation(")
            .text(match find_relation(Child::RELATIONS, field) {
                Some(relation) => relation.cardinality.word(),
                None => "many_to_many",
            })
            .text(", two_way, of = ")
            .text(Child::DEFINITION.model)
            .text("::")
            .text(field)
            .text(", max = 1_000)] ")
            .text(mirror)
            .text(": Vec<Ref<")
            .text(Child::DEFINITION.model)
            .text(">>` to it\nrule: inverse_disagrees")
            .fail(),
    };
    // Where that names no such relation, the message is there.
    if find_relation(Child::RELATIONS, found.child_field).is_none() || !str_eq(found.child.name, Child::NAME) {
        return;
    }
    if !str_eq(found.child_field, field) {
        Message::new()
            .text("`")
            .text(parent.model)
            .text(".")
            .text(mirror)
            .text("` mirrors the field ")
            .code(found.child_field)
            .text(", not this one\nhelp: name the field that mirrors this one\nrule: inverse_disagrees")
            .fail()
    }
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
