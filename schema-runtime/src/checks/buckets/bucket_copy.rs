//! Rule: `bucket_copy`. The page is `guide/pages/rules/bucket_copy.md`.
//!
//! The half of the rule that knows the fields of embedded structs and the models in buckets.

use crate::{
    definition::{CopiedTo, RollupDefinition, RollupKind, copy_inside, dotted, last_segment, refuse},
    model::Model,
};

/// Refuses a subset or computed field of a parent over children in buckets.
#[track_caller]
pub(in crate::checks) const fn enforce<P: Model, C: Model>(rollup: &RollupDefinition) {
    if C::DEFINITION.bucket.is_some() {
        let instead = match rollup.kind {
            RollupKind::Subset { .. } => "read the last children from the last bucket, with `.latest(n)`",
            _ => "read the value from the buckets: each bucket has a count",
        };
        refuse! {
            "`{}` is stored in buckets, and a write of a child in a bucket updates no field of the parent", C::STRUCT;
            help: "remove `{}.{}`, and {}; or remove `bucket(..)` from the child", P::STRUCT, rollup.field, instead
        }
    }
}

/// Refuses a `#[copied_to(..)]` of a child in a bucket. At the copy, the reference to the child is refused, without a
/// message from this rule.
#[track_caller]
pub(in crate::checks) const fn enforce_source<C: Model>(copied: &CopiedTo) {
    if C::DEFINITION.bucket.is_some() {
        refuse! {
            "`{}` is a field of a child in a bucket, and a copy cannot refer to a part of a document", copied.field;
            help: "remove this `#[copied_to(..)]`, or `bucket(..)`"
        }
    }
}

/// Refuses copies inside of field number `at` of a child that follow their source.
#[track_caller]
pub const fn bucket_copies<M: Model>(at: usize) {
    let field = &M::FIELDS[at];
    let mut number = 0;
    while let Some(place) = copy_inside(&field.shape, number) {
        if place.copy.tracks_source() {
            refuse! {
                "`{}.{}` is a copy that follows `{}.{}`, and `{}` is stored in buckets: a write of the source updates whole documents, not a child in a bucket",
                    place.owner, place.copy.field, last_segment(place.copy.source.target.name),
                    dotted(place.copy.from).as_str(), M::STRUCT;
                help: "add `snapshot` to the copy: the copy then keeps the value of the insert; or hold a struct without copies here"
            }
        }
        number += 1;
    }
}
