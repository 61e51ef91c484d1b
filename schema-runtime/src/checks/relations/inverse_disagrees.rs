//! Rule: `inverse_disagrees`
//!
//! Both sides of a relation declare the same. The field that an `#[inverse(..)]` names stores a relation to this model, and an `inverse =
//! name` in a relation is the accessor that the far side gives for the relation. An array of references is read from the far side only with
//! the index that `inverse = name` of the array brings. The far side of a `one_to_one` reads one document and says so; every other far side
//! reads a list.
//!
//! Source: the samples of The Little MongoDB Schema Design Book have the same mistake: an author's books and a book's authors that
//! disagree, and a query on a field that the insert named differently.

mod mirror;

pub use mirror::{mirror_field, mirror_named};

use crate::{
    definition::{
        InverseDefinition, Message, RelationDefinition, find, find_relation, is_tree, is_whole, last_segment, str_eq,
    },
    model::Model,
};

/// Judges `#[inverse(accessor = Child::field)]` on `Parent`.
#[track_caller]
pub const fn inverse_field<Parent: Model, Child: Model>(accessor: &str, field: &str) {
    let child = Child::DEFINITION;
    // `tree_parent` reports the mistakes of a tree.
    if !child.whole || is_tree(Child::FIELDS, field) {
        return;
    }
    let Some(relation) = find_relation(Child::RELATIONS, field) else {
        // rustc reports a misspelt attribute.
        if let Some(stored) = find(Child::FIELDS, field)
            && !is_whole(&stored.shape)
        {
            return;
        }
        let mut message =
            Message::new().code(child.model).text(" has no relation in a field ").code(field).text("\nhelp: ");
        let mut listed = false;
        let mut at = 0;
        while at < Child::RELATIONS.len() {
            if Child::RELATIONS[at].target.is_some() {
                message =
                    message.text(if listed { ", " } else { "its relations are " }).code(Child::RELATIONS[at].field);
                listed = true;
            }
            at += 1;
        }
        if !listed {
            message = message
                .text("declare it there: `#[relation(one_to_squillions, parent_ref)] ")
                .text(field)
                .text(": Ref<");
            message = message.text(Parent::DEFINITION.model).text(">`");
        }
        message.text("\nrule: inverse_disagrees").fail()
    };
    let Some(target) = &relation.target else {
        Message::new()
            .text("`")
            .text(child.model)
            .text(".")
            .text(field)
            .text("` is embedded, and only a reference has an inverse\nhelp: remove this inverse\nrule: inverse_disagrees")
            .fail()
    };
    if relation.is_mirror || relation.is_mirrored() {
        Message::new()
            .text("`")
            .text(child.model)
            .text(".")
            .text(field)
            .text("` is `two_way`, and its far side is a field that stores the other end")
            .text("\nhelp: remove this inverse; the field of that end says `of = ")
            .text(child.model)
            .text("::")
            .text(field)
            .text("`\nrule: inverse_disagrees")
            .fail()
    }
    if !str_eq(target.name, Parent::NAME) {
        refers_elsewhere(child.model, field, last_segment(target.name), Parent::DEFINITION.model)
    }
    if relation.inverse.is_none() && relation.storage.needs_inverse() {
        Message::new()
            .text("`")
            .text(child.model)
            .text(".")
            .text(field)
            .text("` is an array, which is read from this side with an index, and that relation declares none\nhelp: add `inverse = ")
            .text(accessor)
            .text("` to it, which creates the index\nrule: inverse_disagrees")
            .fail()
    }
    one_or_many(Parent::INVERSES, child.model, relation, accessor);
}

/// Refuses a far side of a `one_to_one` that does not say `one_to_one`, and any other far side that does.
#[track_caller]
const fn one_or_many(parent: &'static [InverseDefinition], child: &str, relation: &RelationDefinition, accessor: &str) {
    let Some(inverse) = inverse(parent, accessor) else { return };
    let message = Message::new()
        .text("`")
        .text(child)
        .text(".")
        .text(relation.field)
        .text("` is `")
        .text(relation.cardinality.word());
    let (what, close) = match (relation.cardinality.is_many(), inverse.one_to_one) {
        (false, false) => (
            "`: one document refers to each, and this inverse reads a list\nhelp: write `#[inverse(",
            ", one_to_one)]`",
        ),
        (true, true) => (
            "`: many documents may refer to each, and this inverse reads one\nhelp: remove `one_to_one`, as `#[inverse(",
            ")]`",
        ),
        (false, true) | (true, false) => return,
    };
    message
        .text(what)
        .text(accessor)
        .text(" = ")
        .text(child)
        .text("::")
        .text(relation.field)
        .text(close)
        .text("\nrule: inverse_disagrees")
        .fail()
}

/// Reports a field that refers to another model than the model that names the field.
#[track_caller]
const fn refers_elsewhere(child: &str, field: &str, to: &str, parent: &str) -> ! {
    Message::new()
        .text("`")
        .text(child)
        .text(".")
        .text(field)
        .text("` refers to ")
        .code(to)
        .text(", not to ")
        .code(parent)
        .text("\nhelp: name the field that holds a `Ref<")
        .text(parent)
        .text(">`\nrule: inverse_disagrees")
        .fail()
}

/// Judges `inverse = accessor` in the relation `field` of `Child` to `Parent`.
#[track_caller]
pub const fn inverse_named<Child: Model, Parent: Model>(field: &str, accessor: &str) {
    let parent = Parent::DEFINITION;
    if !parent.whole {
        return;
    }
    match inverse(Parent::INVERSES, accessor) {
        Some(found) if !str_eq(found.child.name, Child::NAME) => Message::new()
            .text("the inverse `")
            .text(accessor)
            .text("` of ")
            .code(parent.model)
            .text(" is of ")
            .text("`")
            .text(last_segment(found.child.name))
            .text(".")
            .text(found.field)
            .text("`, not of this relation\nhelp: choose another name here, and write an `#[inverse(..)]` of that name there\nrule: inverse_disagrees")
            .fail(),
        // The far side reports a missing field.
        Some(found) if !str_eq(found.field, field) && find_relation(Child::RELATIONS, found.field).is_none() => {}
        Some(found) if !str_eq(found.field, field) => Message::new()
            .text("the inverse `")
            .text(accessor)
            .text("` of ")
            .code(parent.model)
            .text(" is of the field ")
            .code(found.field)
            .text(", not of this one\nhelp: choose another name here, and write an `#[inverse(..)]` of that name there\nrule: inverse_disagrees")
            .fail(),
        Some(_) => {}
        None => Message::new()
            .code(parent.model)
            .text(" has no inverse ")
            .code(accessor)
            .text("\nhelp: write `#[inverse(")
            .text(accessor)
            .text(" = ")
            .text(Child::DEFINITION.model)
            .text("::")
            .text(field)
            .text(match find_relation(Child::RELATIONS, field) {
                Some(relation) if !relation.cardinality.is_many() => ", one_to_one)]` on ",
                _ => ")]` on ",
            })
            .code(parent.model)
            .text("\nrule: inverse_disagrees")
            .fail(),
    }
}

const fn inverse(inverses: &'static [InverseDefinition], accessor: &str) -> Option<&'static InverseDefinition> {
    let mut at = 0;
    while at < inverses.len() {
        if str_eq(inverses[at].accessor, accessor) {
            return Some(&inverses[at]);
        }
        at += 1;
    }
    None
}
