//! The declared BSON type of a type that serde writes in a form of its own (`#[stored_as(..)]`).

use super::{FieldDefinition, Kind, Shape, each, str_eq};

/// The declaration that serde writes the values of a type as values of another type.
#[derive(Clone, Copy, Debug)]
pub struct StoredAs {
    /// The type in Rust, with the module; for a field, the type as written and the function that reads the field.
    pub name: &'static str,
}

impl StoredAs {
    /// Creates the declaration of the type with this name.
    pub const fn new(name: &'static str) -> Self {
        StoredAs { name }
    }
}

impl Shape {
    /// Makes the shape the shape of a type that serde writes as values of this shape.
    pub const fn stored_as(self, declared: &'static StoredAs) -> Self {
        Shape { stored_as: Some(declared), ..self }
    }

    /// True when the shape, or a shape inside of the shape, is declared by `#[stored_as(..)]`.
    pub(crate) const fn holds_stored_as(&self) -> bool {
        match self.kind {
            _ if self.stored_as.is_some() => true,
            Kind::Array { items, .. } => items.holds_stored_as(),
            Kind::Map { values, .. } => values.holds_stored_as(),
            Kind::Document { .. } => self.nested.holds_stored_as,
            _ => false,
        }
    }
}

/// Returns whether two shapes have the same declaration.
pub(super) const fn same_stored_as(one: &Shape, other: &Shape) -> bool {
    match (one.stored_as, other.stored_as) {
        (Some(one), Some(other)) => str_eq(one.name, other.name),
        (None, None) => true,
        _ => false,
    }
}

/// Returns whether a field, or a shape inside of a field, is declared by `#[stored_as(..)]`.
pub(crate) const fn hold_stored_as(fields: &[FieldDefinition]) -> bool {
    each!(for field in fields {
        if field.shape.holds_stored_as() {
            return true;
        }
    });
    false
}
