//! Rule: `bucket_copy`
//!
//! This half knows what is inside of embedded structs, and which children are in buckets.

use super::incomplete_schema::last_segment;
use crate::{
    definition::{Message, RollupDefinition, copy_inside},
    model::Model,
};

/// What a parent keeps of children.
#[track_caller]
pub(super) const fn enforce<P: Model, C: Model>(rollup: &RollupDefinition) {
    if C::DEFINITION.bucket.is_some() {
        Message::new()
            .code(C::STRUCT)
            .text(" is stored in buckets, and the writes of its children keep nothing in their parent")
            .text("\nhelp: remove ")
            .field(P::STRUCT, &[rollup.field])
            .text(", and read it from the buckets, which have a count; or remove `bucket(..)` there\nrule: bucket_copy")
            .fail()
    }
}

/// The copies inside of field number `at` of a child.
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
