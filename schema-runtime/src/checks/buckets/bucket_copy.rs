//! Rule: `bucket_copy`
//!
//! The half of the rule that knows the fields of embedded structs and the models in buckets.

use crate::{
    definition::{CopiedTo, Message, RollupDefinition, RollupKind, copy_inside, last_segment},
    model::Model,
};

/// Refuses a subset or computed field of a parent over children in buckets.
#[track_caller]
pub(in crate::checks) const fn enforce<P: Model, C: Model>(rollup: &RollupDefinition) {
    if C::DEFINITION.bucket.is_some() {
        Message::new()
            .code(C::STRUCT)
            .text(" is stored in buckets, and the writes of its children keep nothing in their parent")
            .text("\nhelp: remove ")
            .field(P::STRUCT, &[rollup.field])
            .text(match rollup.kind {
                RollupKind::Subset { .. } => {
                    ", and read the last children with `.latest(n)`, which reads the last bucket"
                }
                _ => ", and read it from the buckets, which have a count",
            })
            .text("; or remove `bucket(..)` there\nrule: bucket_copy")
            .fail()
    }
}

/// Refuses a `#[copied_to(..)]` of a child in a bucket. At the copy, the reference to the child is refused, without a message from this
/// rule.
#[track_caller]
pub(in crate::checks) const fn enforce_source<C: Model>(copied: &CopiedTo) {
    if C::DEFINITION.bucket.is_some() {
        Message::new()
            .code(copied.field)
            .text(" is of a child in a bucket, and no copy refers to a part of a document")
            .text("\nhelp: remove this `#[copied_to(..)]`, or `bucket(..)`\nrule: bucket_copy")
            .fail()
    }
}

/// Refuses copies inside of field number `at` of a child that follow their source.
#[track_caller]
pub const fn bucket_copies<M: Model>(at: usize) {
    let field = &M::FIELDS[at];
    let mut number = 0;
    while let Some(place) = copy_inside(&field.shape, number) {
        if place.copy.tracks_source() {
            Message::new()
                .field(place.owner, &[place.copy.field])
                .text(" is a copy of ")
                .field(last_segment(place.copy.source.target.name), place.copy.from)
                .text(" that follows it, and ")
                .code(M::STRUCT)
                .text(" is stored in buckets: a child is no document that could be found and updated")
                .text("\nhelp: add `snapshot` to the copy, which then keeps the value that it was inserted with; or hold a struct without copies here\nrule: bucket_copy")
                .fail()
        }
        number += 1;
    }
}
