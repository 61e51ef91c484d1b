//! Rule: `version_type`. The page is `guide/pages/rules/version_type.md`.

use super::{field_type::kind, stored_type::enforce_computed};
use crate::definition::{FieldDefinition, Kind, Scalar, refuse, text};

#[track_caller]
pub(in crate::checks) const fn enforce(field: &FieldDefinition, bytes: usize) {
    enforce_computed(field, "a version");
    let why = match field.shape.kind {
        Kind::Scalar(Scalar::Integer) if field.shape.nullable => text!("an `Option`, and a version is never null"),
        Kind::Scalar(Scalar::Integer) if bytes >= 4 => return,
        Kind::Scalar(Scalar::Integer) => text!("too small for a version: every write adds 1"),
        _ => text!("{}, and a version is a whole number: every write adds 1", kind(&field.shape)),
    };
    refuse! {
        "`{}` is {}", field.rust_name, why.as_str();
        help: "use an `i64` or an `i32`"
    }
}
