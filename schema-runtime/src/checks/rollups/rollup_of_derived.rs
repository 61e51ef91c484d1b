//! Rule: `rollup_of_derived`
//!
//! A parent keeps of its children only the values that the writes of the children set. Three kinds of values also come from writes that do
//! not update the child's parent. The next of these writes would leave a sum, a subset or an order wrong for good. The three kinds are:
//!
//! - A copy in a child: the writes of the source set the copy.
//! - A value that a child keeps of grandchildren: the writes of the grandchildren set the value.
//! - The path, the ancestors and the depth of a child in a tree: the moves of an ancestor set the fields.
//!
//! A `snapshot` is fine, since only writes of the child itself change the snapshot. The elements of a subset do not declare copies either:
//! an element holds the values of the child.
//!
//! Source: an aggregate of a cache is a cache of a cache; see `copy_of_copy`.

use crate::{
    checks::copies::copy_of_copy::copy_in,
    definition::{
        CopyDefinition, CopyMode, FieldDefinition, Message, OrderKey, RollupDefinition, Shape, TreeField, copy_inside,
        find, find_stored, last_segment, str_eq,
    },
    model::Model,
};

/// A value that the writes of another document set.
enum Derived {
    Copy(&'static CopyDefinition),
    Rollup(&'static RollupDefinition),
    /// A path, ancestors or a depth.
    Tree,
}

/// Judges the field that a value is computed from.
#[track_caller]
pub(in crate::checks) const fn enforce<P: Model, C: Model>(rollup: &RollupDefinition, field: &str) {
    if let Some(derived) = derived::<C>(field) {
        let message = when_it_changes::<C>(field, &derived).field(P::STRUCT, &[rollup.field]);
        let help = Message::new().text("compute it from a field that only the writes of ").code(C::STRUCT);
        fail(&message.text(" would keep the old value"), &help.text(" set, or when it is read"), &derived)
    }
}

/// Judges a key of a subset's order.
#[track_caller]
pub(in crate::checks) const fn enforce_order<P: Model, C: Model>(rollup: &RollupDefinition, field: &str) {
    if let Some(derived) = derived::<C>(field) {
        let message = when_it_changes::<C>(field, &derived).field(P::STRUCT, &[rollup.field]);
        let help = Message::new().text("write an `order` in `#[subset(..)]` by a field that only the writes of ");
        fail(&message.text(" would keep the old order"), &help.code(C::STRUCT).text(" set"), &derived)
    }
}

/// Judges the fields that the subset holds of each child, except the fields in the subset's own `order`, which has the message.
#[track_caller]
pub(in crate::checks) const fn enforce_elements<P: Model, C: Model>(
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

/// Refuses copies that the elements of a subset declare.
#[track_caller]
pub(in crate::checks) const fn enforce_own<P: Model, C: Model>(rollup: &RollupDefinition, element: &Shape) {
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

/// Starts the message: `LogMsg.owner` is a copy of `User.name`: when that changes,
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
        Derived::Copy(CopyDefinition { mode: CopyMode::External, .. }) => "write `snapshot` in place of `external` on",
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
