//! Rule: `timestamp_type`. The page is `guide/pages/rules/timestamp_type.md`.

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
