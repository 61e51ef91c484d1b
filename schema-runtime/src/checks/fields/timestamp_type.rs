//! Rule: `timestamp_type`
//!
//! A field with `#[created_at]` or `#[updated_at]` is a `DateTime` of the driver's bson, or a type of another crate
//! that is stored as a date with a time, and not an `Option`: every document has a value.
//!
//! Source: BSON's `date` is the type that MongoDB compares, indexes and expires as a time.

use super::field_type::kind;
use crate::definition::{FieldDefinition, Kind, Scalar, refuse, text};

#[track_caller]
pub(in crate::checks) const fn enforce(field: &FieldDefinition) {
    let why = match field.shape.kind {
        Kind::Scalar(Scalar::DateTime) if field.shape.nullable => {
            text!("an `Option`, and the time is never null: every document has a time")
        }
        Kind::Scalar(Scalar::DateTime) if field.shape.holds_days() => {
            text!("a day without a time, and the crate sets the field to a date with a time")
        }
        Kind::Scalar(Scalar::DateTime) => return,
        _ => text!("{}, and the crate sets the field to a date", kind(&field.shape)),
    };
    refuse! {
        "`{}` is {}", field.rust_name, why.as_str();
        help: "make the field a `DateTime` of `mongodb::bson`"
    }
}
