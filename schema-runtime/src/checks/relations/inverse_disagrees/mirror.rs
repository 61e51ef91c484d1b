//! The two ends of a `two_way`: the relation names its mirror by `inverse = ..`, and the mirror names the relation by
//! `of = ..`.

use super::refers_elsewhere;
use crate::{
    definition::{
        MirrorDefinition, RelationDefinition, each, find_relation, last_segment, refuse, str_before, str_eq, text,
    },
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
        let why = match relation.is_mirror {
            true => "mirrors a relation itself",
            false => "is not `two_way`, and no write would update this end",
        };
        refuse! {
            "`{}.{}` {}", child.model, field, why;
            help: "write `#[relation({}, two_way, inverse = {})]` there", own.cardinality.word(), mirror
        }
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
        refuse! {
            "`{}.{}` is mirrored by `{}`, not by this field", child.model, field, inverse;
            help: "remove this relation; or write `inverse = {}` there", mirror
        }
    }
    let refers_back = match &own.target {
        Some(target) => str_eq(target.name, Child::NAME),
        None => false,
    };
    if !refers_back {
        refuse! {
            "`{}` mirrors a relation of `{}`, and does not refer to this model", mirror, child.model;
            help: "make the field a `Vec<Ref<{}>>`", child.model
        }
    }
    if !str_eq(own.cardinality.word(), relation.cardinality.word()) {
        refuse! {
            "`{}.{}` is `{}`, and this end is `{}`",
                child.model, field, relation.cardinality.word(), own.cardinality.word();
            help: "write the same cardinality at both ends"
        }
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
    // When the mirror names a missing relation, or a model that the mirror does not refer to, the mirror has the
    // message.
    let is_right = match find_relation(Parent::RELATIONS, mirror) {
        Some(RelationDefinition { target: Some(target), .. }) => str_eq(target.name, found.child.name),
        _ => false,
    };
    if !is_right || is_of_child && find_relation(Child::RELATIONS, found.child_field).is_none() {
        return;
    }
    if !is_of_child || !str_eq(found.child_field, field) {
        let mirrored = match is_of_child {
            true => text!("the field `{}`", found.child_field),
            false => text!("`{}.{}`", last_segment(found.child.name), found.child_field),
        };
        let help = match mirror_of(Parent::MIRRORS, Child::NAME, field) {
            Some(other) => text!("write `inverse = {}`, the field that mirrors this relation", other.field),
            None => text!("name the field that mirrors this relation"),
        };
        refuse! {
            "`{}.{}` mirrors {}, not this field", parent.model, mirror, mirrored.as_str();
            help: "{}", help.as_str()
        }
    }
}

/// Reports an `of = ..` that names a field without a relation.
#[track_caller]
const fn no_relation<Parent: Model, Child: Model>(own: &RelationDefinition, field: &str) -> ! {
    let child = Child::DEFINITION.model;
    let (cardinality, mirror) = (own.cardinality.word(), own.field);
    let mut help = text!("declare the relation there: `#[relation({}, two_way, inverse = {})]`", cardinality, mirror);
    each!(for relation in Child::RELATIONS {
        if let (Some(inverse), Some(target), true) = (relation.inverse, &relation.target, relation.is_mirrored())
            && str_eq(inverse, mirror)
            && str_eq(target.name, Parent::NAME)
        {
            help = text!("write `of = {}::{}`, the relation that names this field", child, relation.field);
            break;
        }
    });
    refuse! {
        "`{}` has no relation in a field `{}`", child, field;
        help: "{}", help.as_str()
    }
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
    match (mirror_of(Parent::MIRRORS, Child::NAME, field), find_relation(Parent::RELATIONS, mirror)) {
        (Some(other), _) => refuse! {
            "`{}` has no field `{}` that mirrors this relation", parent, mirror;
            help: "write `inverse = {}`, the field that mirrors this relation", other.field
        },
        (None, Some(relation)) if is_written_by(relation, Child::NAME, field) => {
            // One of the two fields has the message.
            if is_first::<Child, Parent>(field, mirror) {
                refuse! {
                    "`{}.{}` and this field name each other as the mirror, and only one end of a `two_way` is the mirror",
                        parent, mirror;
                    help: "write `of = {}::{}` there, in place of `inverse = {}`", child, field, field
                }
            }
        }
        (None, Some(_)) => refuse! {
            "`{}.{}` does not mirror this relation", parent, mirror;
            help: "write `#[relation({}, two_way, of = {}::{}, max = 1_000)]` there", cardinality, child, field
        },
        (None, None) => refuse! {
            "`{}` has no field `{}` that mirrors this relation", parent, mirror;
            help: "add `#[relation({}, two_way, of = {}::{}, max = 1_000)] {}: Vec<Ref<{}>>` to the model",
                cardinality, child, field, mirror, child
        },
    }
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
        refuse! {
            "`{}.{}` and this field mirror each other, and only one end of a `two_way` is the mirror",
                child, field;
            help: "write `inverse = {}` here, in place of `of = {}::{}`", field, child, field
        }
    }
}

/// Reports a relation that is both ends of itself.
#[track_caller]
const fn one_end(model: &str, field: &str, cardinality: &str) -> ! {
    refuse! {
        "a `two_way` relation has two ends in two fields, and `{}` is named as both ends", field;
        help: "write `inverse = {}_of` here, and add the second end: `#[relation({}, two_way, of = {}::{}, max = 1_000)] {}_of: Vec<Ref<{}>>`",
            field, cardinality, model, field, field, model
    }
}

/// Returns whether the relation is the written end of a `two_way` to `child`, and names `field` of `child` as its
/// mirror.
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
    each!(for mirror in mirrors {
        if is_of(mirror, child, field) {
            return Some(mirror);
        }
    });
    None
}

const fn find(mirrors: &'static [MirrorDefinition], field: &str) -> Option<&'static MirrorDefinition> {
    each!(for mirror in mirrors {
        if str_eq(mirror.field, field) {
            return Some(mirror);
        }
    });
    None
}
