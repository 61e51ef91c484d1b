//! Rule: `id_missing`
//!
//! The half of the rule that sees an `_id` that may be null.

use crate::definition::{FieldDefinition, Message};

#[track_caller]
pub(in crate::checks) const fn enforce(field: &FieldDefinition) {
    if field.shape.nullable {
        Message::new()
            .code(field.rust_name)
            .text(" is the `_id`, and it may be null: a collection holds at most one document whose `_id` is null\nhelp: write `")
            .text(field.rust_name)
            .text(": ObjectId`, and give each new value an `ObjectId::new()`\nrule: id_missing")
            .fail()
    }
}
