//! Rule: `copy_of_copy`
//!
//! The source of a copy is a field that is written directly. A copy of a copy would be stale until two writes have
//! passed, and two copies of each other would never rest. A snapshot may copy any field, since nothing updates a
//! snapshot. A copy may copy a snapshot, since no further write changes the snapshot. A field that the writes of
//! children maintain (`#[subset(..)]`, `#[computed(..)]`) is copied as a `snapshot` or `external`, since the writes of
//! children update no copies. The `_id` is in the reference already.
//!
//! Source: Meteor's `denormalize`, where a cache of a cache loops.

use crate::{
    errors::Errors,
    model::{Copy, Record},
};

const ID: &str = "copy_of_copy";

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged().filter(|field| field.copy.as_ref().is_some_and(Copy::tracks_source)) {
        if let Some(copied) = field.copied_to.first() {
            errors.rule(
                &copied.tokens,
                ID,
                &format!("`{}` is a copy, and a write of the source does not update a copy of a copy", field.rust_name),
                "move this `#[copied_to(..)]` to the source of this copy, and copy from the source",
            );
        }
    }
}
