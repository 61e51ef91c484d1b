//! Rule: `timestamp_type`
//!
//! A field with `#[created_at]` or `#[updated_at]` is a `DateTime` of the driver's bson, and not an `Option`: every document has a value.
//!
//! Source: BSON's `date` is the type that MongoDB compares, indexes and expires as a time.

use super::field_type::kind;
use crate::definition::{FieldDefinition, Kind, Message, Scalar};

#[track_caller]
pub(in crate::checks) const fn enforce(field: &FieldDefinition) {
    let message = Message::new().code(field.rust_name).text(" is ");
    let message = match field.shape.kind {
        Kind::Scalar(Scalar::DateTime) if field.shape.nullable => {
            message.text("an `Option`, and it is never null: the crate sets it at every write")
        }
        Kind::Scalar(Scalar::DateTime) => return,
        _ => message.text(kind(&field.shape)).text(", and the crate sets it to a date"),
    };
    message.text("\nhelp: make it a `DateTime` of `mongodb::bson`\nrule: timestamp_type").fail()
}
