//! Rule: `id_missing`
//!
//! This half sees whether the `_id` may be null.

use crate::definition::{FieldDefinition, Message};

#[track_caller]
pub(super) const fn enforce(field: &FieldDefinition) {
    if field.shape.nullable {
        Message::new()
            .code(field.rust_name)
            .text(" is the `_id`, and as an `Option` it may be missing: a collection takes one document with a null `_id`, and no second\nhelp: write `")
            .text(field.rust_name)
            .text(": ObjectId`, and make it with the value: `ObjectId::new()`\nrule: id_missing")
            .fail()
    }
}
