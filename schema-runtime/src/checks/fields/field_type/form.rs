//! The check that a type of another crate has a stored form.

use super::innermost;
use crate::definition::{FieldDefinition, Form, Holds, Kind, Shape, refuse};

/// Refuses a type that loses a part of each value when the value is stored.
#[track_caller]
pub(in crate::checks) const fn enforce_form(field: &FieldDefinition) {
    if let Some(&Form { name, holds: Holds::Nothing { reason, help }, .. }) = form_inside(&field.shape) {
        refuse! {
            "`{}` is of type `{}`: {}", field.rust_name, name, reason;
            help: "{}", help
        }
    }
}

/// Returns the form of the values inside of all arrays and maps.
const fn form_inside(shape: &Shape) -> Option<&'static Form> {
    match innermost(shape).kind {
        Kind::Map { values, .. } => form_inside(values),
        _ => innermost(shape).form,
    }
}
