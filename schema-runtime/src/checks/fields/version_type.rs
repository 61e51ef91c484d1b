//! Rule: `version_type`
//!
//! A field with `#[version]` is an integer of at least 32 bits, and not an `Option`: every write adds 1 to the field, and a number that
//! runs out would refuse the write.
//!
//! Source: MongoDB, "`$inc`": the operator takes numbers, and fails on null.

use super::field_type::kind;
use crate::definition::{FieldDefinition, Kind, Message, Scalar};

#[track_caller]
pub(in crate::checks) const fn enforce(field: &FieldDefinition, bytes: usize) {
    let message = Message::new().code(field.rust_name).text(" is ");
    let message = match field.shape.kind {
        Kind::Scalar(Scalar::Integer) if field.shape.nullable => {
            message.text("an `Option`, and a version is never null")
        }
        Kind::Scalar(Scalar::Integer) if bytes >= 4 => return,
        Kind::Scalar(Scalar::Integer) => message.text("too small for a version, to which every write adds 1"),
        _ => message.text(kind(&field.shape)).text(", and a version is a whole number, to which every write adds 1"),
    };
    message.text("\nhelp: use an `i64` or an `i32`\nrule: version_type").fail()
}
