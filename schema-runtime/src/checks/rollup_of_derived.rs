//! Rule: `rollup_of_derived`
//!
//! What a parent keeps of its children is what their own writes set. A copy in a child is written by the writes of its source too, and
//! what a child keeps of its own children by the writes of those, and none of these updates the child's parent: a sum, a subset or
//! its order would be wrong from the next of them on, and stay so. The path, the ancestors and the depth of a child that is in a tree are
//! written by the moves of what is above it, too. A `snapshot` is fine, since only writes of the child itself change
//! it. The elements of a subset declare no copies of their own either: what they hold is what the child holds.
//!
//! Source: an aggregate of a cache is a cache of a cache; see `copy_of_copy`.

use super::{copy_of_copy::copy_in, incomplete_schema::last_segment};
use crate::{
    definition::{
        CopyDefinition, CopyMode, FieldDefinition, Message, OrderKey, RollupDefinition, Shape, TreeField, copy_inside,
        find, find_stored, str_eq,
    },
    model::Model,
};

/// What other writes than those of its document set.
enum Derived {
    Copy(&'static CopyDefinition),
    Rollup(&'static RollupDefinition),
    /// A path, ancestors or a depth.
    Tree,
}

/// What is computed from.
#[track_caller]
pub(super) const fn enforce<P: Model, C: Model>(rollup: &RollupDefinition, field: &str) {
    if let Some(derived) = derived::<C>(field) {
        let message = when_it_changes::<C>(field, &derived).field(P::STRUCT, &[rollup.field]);
        let help = Message::new().text("compute it from a field that only the writes of ").code(C::STRUCT);
        fail(&message.text(" would keep the old value"), &help.text(" set, or when it is read"), &derived)
    }
}

/// A key of a subset's order.
#[track_caller]
pub(super) const fn enforce_order<P: Model, C: Model>(rollup: &RollupDefinition, field: &str) {
    if let Some(derived) = derived::<C>(field) {
        let message = when_it_changes::<C>(field, &derived).field(P::STRUCT, &[rollup.field]);
        let help = Message::new().text("write an `order` in `#[subset(..)]` by a field that only the writes of ");
        fail(&message.text(" would keep the old order"), &help.code(C::STRUCT).text(" set"), &derived)
    }
}

/// What the subset holds of each child, but for what its own `order` names, where it is reported.
#[track_caller]
pub(super) const fn enforce_elements<P: Model, C: Model>(
    rollup: &RollupDefinition,
    order: &[OrderKey],
    element: &str,
    fields: &[FieldDefinition],
) {
    let mut at = 0;
    while at < fields.len() {
        if let Some(source) = find_stored(C::FIELDS, fields[at].name)
            && !is_among(order, source.rust_name)
            && let Some(derived) = derived::<C>(source.rust_name)
        {
            let message = when_it_changes::<C>(source.rust_name, &derived).field(P::STRUCT, &[rollup.field]);
            let help = Message::new().text("remove ").code(fields[at].rust_name).text(" from ").code(element);
            fail(&message.text(" would keep the old value"), &help.text(", and read it where it is"), &derived)
        }
        at += 1;
    }
}

/// Copies that the elements of a subset declare themselves.
#[track_caller]
pub(super) const fn enforce_own<P: Model, C: Model>(rollup: &RollupDefinition, element: &Shape) {
    let mut number = 0;
    while let Some(place) = copy_inside(element, number) {
        if place.copy.tracks_source() {
            Message::new()
                .field(place.owner, &[place.copy.field])
                .text(" is a copy of ")
                .field(last_segment(place.copy.source.target.name), place.copy.from)
                .text(", and the elements of ")
                .field(P::STRUCT, &[rollup.field])
                .text(" are written by the writes of ")
                .code(C::STRUCT)
                .text(" alone\nhelp: remove the `#[denormalize(..)]` from this field: an element has the value that is in the child\nrule: rollup_of_derived")
                .fail()
        }
        number += 1;
    }
}

const fn derived<C: Model>(field: &str) -> Option<Derived> {
    let mut at = 0;
    while at < C::ROLLUPS.len() {
        if str_eq(C::ROLLUPS[at].field, field) {
            return Some(Derived::Rollup(&C::ROLLUPS[at]));
        }
        at += 1;
    }
    if let Some(FieldDefinition {
        tree: Some((TreeField::Ancestors | TreeField::Path | TreeField::Depth, _)), ..
    }) = find(C::FIELDS, field)
    {
        return Some(Derived::Tree);
    }
    match copy_in(C::FIELDS, C::DEFINITION.copies, &[field]) {
        Some(copy) => Some(Derived::Copy(copy)),
        None => None,
    }
}

/// `LogMsg.owner` is a copy of `User.name`: when that changes,
const fn when_it_changes<C: Model>(field: &str, derived: &Derived) -> Message {
    let message = Message::new().field(C::STRUCT, &[field]);
    match derived {
        Derived::Copy(copy) => message
            .text(if str_eq(copy.field, field) { " is a copy of " } else { " holds a copy of " })
            .field(last_segment(copy.source.target.name), copy.from)
            .text(": when that changes, "),
        Derived::Tree => message.text(" says what is above a document in its tree: when one of these is moved, "),
        Derived::Rollup(inner) => {
            let child = last_segment(inner.child.name);
            message.text(" is computed from its children: when a ").code(child).text(" is written, ")
        }
    }
}

#[track_caller]
const fn fail(message: &Message, help: &Message, derived: &Derived) -> ! {
    let message = Message::new().message(message).text("\nhelp: ").message(help);
    let snapshot = match derived {
        Derived::Copy(CopyDefinition { mode: CopyMode::Streamed, .. }) => "write `snapshot` in place of `streamed` on",
        Derived::Copy(_) => "add `snapshot` to",
        Derived::Rollup(_) | Derived::Tree => message.text("\nrule: rollup_of_derived").fail(),
    };
    message
        .texts(&["; or ", snapshot, " the copy, which then keeps the value that it is written with"])
        .text("\nrule: rollup_of_derived")
        .fail()
}

const fn is_among(order: &[OrderKey], field: &str) -> bool {
    let mut at = 0;
    while at < order.len() {
        if str_eq(order[at].field, field) {
            return true;
        }
        at += 1;
    }
    false
}
