//! Rule: `rollup_of_copy`
//!
//! What a parent keeps of its children is what the writes of the children write. A copy in a child is written by the writes of its
//! source too, and these write no parents of the holders: a sum, a subset or an order of it would be wrong from the next write of
//! the source on, and stay so. A `snapshot` is fine, since only writes of the child itself change it. The elements of a subset hold
//! no copies of their own either, since what a parent keeps is written as it is in the child.
//!
//! Source: an aggregate of a cache is a cache of a cache; see `copy_of_copy`.

use super::{copy_of_copy::copy_in, incomplete_schema::last_segment};
use crate::{
    definition::{
        CopyDefinition, FieldDefinition, Message, ModelDefinition, OrderKey, RollupDefinition, Shape, copy_inside,
        str_eq,
    },
    model::Model,
};

/// What is computed from.
#[track_caller]
pub(super) const fn enforce<P: Model, C: Model>(rollup: &RollupDefinition, field: &str) {
    if let Some(copy) = copy_in(C::FIELDS, C::DEFINITION.copies, &[field]) {
        is_a_copy(C::DEFINITION, field, copy)
            .text(", and a write of that updates no ")
            .field(P::STRUCT, &[rollup.field])
            .text("\nhelp: compute it from a field that is no copy; or add `snapshot` to the copy, which then keeps the value that it is written with; or compute this when it is read\nrule: rollup_of_copy")
            .fail()
    }
}

/// A key of a subset's order.
#[track_caller]
pub(super) const fn enforce_order<P: Model, C: Model>(rollup: &RollupDefinition, field: &str) {
    if let Some(copy) = copy_in(C::FIELDS, C::DEFINITION.copies, &[field]) {
        is_a_copy(C::DEFINITION, field, copy)
            .text(", and a write of that brings no ")
            .field(P::STRUCT, &[rollup.field])
            .text(" into a new order\nhelp: order the subset by a field that is no copy; or add `snapshot` to the copy, which then keeps the value that it is written with\nrule: rollup_of_copy")
            .fail()
    }
}

/// What the subset holds of each child, but for what its own `order(..)` names, where it is reported.
#[track_caller]
pub(super) const fn enforce_elements<P: Model, C: Model>(
    rollup: &RollupDefinition,
    order: &[OrderKey],
    element: &str,
    fields: &[FieldDefinition],
) {
    let mut at = 0;
    while at < fields.len() {
        if let Some(field) = stored_as(C::FIELDS, fields[at].name)
            && !is_among(order, field)
            && let Some(copy) = copy_in(C::FIELDS, C::DEFINITION.copies, &[field])
        {
            is_a_copy(C::DEFINITION, field, copy)
                .text(", and a write of that updates no element of ")
                .field(P::STRUCT, &[rollup.field])
                .text("\nhelp: remove ")
                .code(fields[at].rust_name)
                .text(" from ")
                .code(element)
                .text(", and read it from the child or from the source; or add `snapshot` to the copy, which then keeps the value that it is written with\nrule: rollup_of_copy")
                .fail()
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
                .text(" alone\nhelp: remove the `#[denormalize(..)]` there: an element has the value that is in the child\nrule: rollup_of_copy")
                .fail()
        }
        number += 1;
    }
}

/// `LogMsg.owner` is a copy of `User.name`
const fn is_a_copy(child: &ModelDefinition, field: &str, copy: &CopyDefinition) -> Message {
    let is_itself = str_eq(copy.field, field);
    Message::new()
        .field(child.model, &[field])
        .text(if is_itself { " is a copy of " } else { " holds a copy of " })
        .field(last_segment(copy.source.target.name), copy.from)
}

const fn stored_as(fields: &'static [FieldDefinition], name: &str) -> Option<&'static str> {
    match crate::definition::find_stored(fields, name) {
        Some(field) => Some(field.rust_name),
        None => None,
    }
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
