//! Rule: `id_array`
//!
//! The half of the rule that sees through aliases and newtypes, where the derive sees only a name.

use crate::definition::{FieldDefinition, Kind, Message};

#[track_caller]
pub(in crate::checks) const fn enforce(field: &FieldDefinition) {
    if matches!(field.shape.kind, Kind::Array { .. }) {
        Message::new()
            .code(field.rust_name)
            .text(" is the `_id`, and MongoDB refuses an array as `_id`\nhelp: use an `ObjectId`, a `String`, a number, a `Uuid`, or a struct that derives `Embed`\nrule: id_array")
            .fail()
    }
}
