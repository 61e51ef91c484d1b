//! The stored form of a type of another crate. serde writes a value of such a type in the form of that crate, as a date
//! in a string; a document holds the value as the BSON type that MongoDB compares, indexes and expires.

use mongodb::bson::Bson;

use super::{FieldDefinition, Shape, each, str_eq};

/// The conversions between serde's form of a type and the stored form of the type.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The type in Rust: `chrono::NaiveDate`.
    pub name: &'static str,
    /// The stored values that the type can hold.
    pub holds: Holds,
    pub(crate) store: fn(Bson) -> Result<Bson, Reason>,
    pub(crate) restore: fn(Bson) -> Result<Bson, Reason>,
    /// The conversion to the form that serde reads from a buffer, which is the form for people.
    pub(crate) restore_buffered: fn(Bson) -> Result<Bson, Reason>,
}

/// The stored values that a type can hold, among the values of the BSON type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Every value, within the limits of the type.
    Values,
    /// Dates at midnight in UTC.
    Days,
    /// A part of the values: strings of one notation, or decimals of at most 28 digits.
    Part,
    /// No value: the type is no field.
    Nothing {
        /// The reason.
        reason: &'static str,
        /// The type to write instead.
        help: &'static str,
    },
}

/// The reason why a value has no stored form, or a stored value has no form that the type reads. The text names no
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reason(pub(crate) &'static str);

impl Form {
    /// Creates the form of a type that is no field, with the reason and the type to write instead.
    pub const fn refused(name: &'static str, reason: &'static str, help: &'static str) -> Self {
        Form { name, holds: Holds::Nothing { reason, help }, store: Ok, restore: Ok, restore_buffered: Ok }
    }
}

impl Shape {
    /// Sets the stored form of a type of another crate.
    pub const fn form(self, form: &'static Form) -> Self {
        Shape { form: Some(form), ..self }
    }

    /// Returns whether the values are whole days.
    pub(crate) const fn holds_days(&self) -> bool {
        matches!(self.form, Some(Form { holds: Holds::Days, .. }))
    }

    /// Returns the type of the shape, where the type cannot hold every value that is stored as `source`.
    pub(crate) const fn narrower_than(&self, source: &Shape) -> Option<&'static str> {
        match (self.stored_as, source.stored_as) {
            (Some(own), Some(source)) if str_eq(own.name, source.name) => return None,
            (Some(own), _) => return Some(own.name),
            (None, _) => {}
        }
        match (self.form, source.form) {
            (Some(Form { holds: Holds::Values, .. }) | None, _) => None,
            (Some(form), Some(source)) if str_eq(form.name, source.name) => None,
            (Some(form), _) => Some(form.name),
        }
    }
}

/// Returns whether two shapes have the same stored form.
pub(super) const fn same_form(one: &Shape, other: &Shape) -> bool {
    match (one.form, other.form) {
        (Some(one), Some(other)) => str_eq(one.name, other.name),
        (None, None) => true,
        _ => false,
    }
}

/// Returns whether a field, or a shape inside of a field, has a stored form of its own.
pub(crate) const fn hold_forms(fields: &[FieldDefinition]) -> bool {
    each!(for field in fields {
        if field.shape.holds_forms() {
            return true;
        }
    });
    false
}
