//! Rule: `stored_type`. The page is `guide/pages/rules/stored_type.md`.

use super::field_type::kind;
use crate::{
    definition::{FieldDefinition, Holds, Kind, Shape, refuse},
    field::Field,
};

/// Judges the declared type of a struct or an enum.
#[track_caller]
pub const fn stored_type<S: Field>() {
    if S::SHAPE.nullable {
        refuse! {
            "`stored_as` declares an `Option`, and null is the absence of a value of this type";
            help: "declare the type inside of the `Option` here, and write the `Option` at the field that holds this type"
        }
    }
    enforce_single(&S::SHAPE);
}

/// Judges the declared type of a field.
#[track_caller]
pub const fn stored_field<S: Field>() {
    enforce_single(&S::SHAPE);
}

#[track_caller]
const fn enforce_single(shape: &Shape) {
    if let Some(form) = shape.form
        && let Holds::Nothing { reason, .. } = form.holds
    {
        refuse! {
            "`stored_as` declares `{}`: {}", form.name, reason;
            help: "declare a type that can be stored, as `String`: serde's function then writes a string"
        }
    }
    match shape.kind {
        Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_) => {}
        Kind::Array { .. } | Kind::Map { .. } => refuse! {
            "`stored_as` declares {}, and an update of an element would store a value that serde's code has not written",
                kind(shape);
            help: "declare the type of an element on a newtype with `#[derive(Embed)]`, `#[stored_as(String)] struct Tag(String)`, and write `Vec<Tag>`; or write `#[opaque(max_bytes = N)]` in place of `stored_as`"
        },
        _ => refuse! {
            "`stored_as` declares {}, and a declared type is stored as a single value", kind(shape);
            help: "declare a single value, as `String`; or write `#[opaque(max_bytes = N)]` in place of `stored_as`"
        },
    }
}

/// Refuses a field with a declared type in which this crate stores a computed number.
#[track_caller]
pub(in crate::checks) const fn enforce_computed(field: &FieldDefinition, what: &str) {
    if let Some(declared) = field.shape.stored_as {
        refuse! {
            "`{}` is of type `{}`, which serde writes by code of its own, and {} is a number that this crate computes",
                field.rust_name, crate::definition::last_segment(declared.name), what;
            help: "make the field a number: `i64`, `f64` or `Decimal128`"
        }
    }
}
