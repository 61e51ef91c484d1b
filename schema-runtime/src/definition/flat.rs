//! Flat fields: the fields of an embedded struct are stored beside the fields of the struct around the flat field.

use super::{FieldDefinition, Shape, Text, each, str_eq, text};

/// A field with `#[embed(flat)]`. The field has no stored value: the fields of the struct in the field are stored.
#[derive(Clone, Copy, Debug)]
pub struct Flat {
    /// The name of the field in Rust, without `r#`.
    pub rust_name: &'static str,
    /// The struct.
    pub shape: Shape,
}

impl Flat {
    /// Creates a flat field that holds a struct of this shape.
    pub const fn new(rust_name: &'static str, shape: Shape) -> Self {
        Flat { rust_name, shape }
    }
}

/// Returns the number of fields that [`joined`] gives.
pub const fn joined_len(own: &[FieldDefinition], flats: &[Flat]) -> usize {
    let mut length = own.len();
    each!(for flat in flats {
        length += flat.shape.fields().len();
    });
    length
}

/// Returns the fields of a struct, then the fields of each flat struct.
pub const fn joined<const N: usize>(own: &[FieldDefinition], flats: &'static [Flat]) -> [FieldDefinition; N] {
    let mut fields = [FieldDefinition::new("", "", Shape::opaque(0)); N];
    let mut length = 0;
    while length < own.len() {
        fields[length] = own[length];
        length += 1;
    }
    let mut at = 0;
    while at < flats.len() {
        let (flat, inner) = (&flats[at], flats[at].shape.fields());
        each!(for field in inner {
            let shape = if flat.shape.whole { field.shape } else { field.shape.not_whole() };
            fields[length] = FieldDefinition { flat: Some(flat), shape, ..*field };
            length += 1;
        });
        at += 1;
    }
    fields
}

/// Returns the flat field of this Rust name.
pub(crate) const fn find_flat(fields: &[FieldDefinition], rust_name: &str) -> Option<&'static Flat> {
    each!(for field in fields {
        if let Some(flat) = field.flat
            && str_eq(flat.rust_name, rust_name)
        {
            return Some(flat);
        }
    });
    None
}

impl FieldDefinition {
    /// Returns the name in Rust of the field of the struct: of a field inside a flat struct, the name of the flat
    /// field.
    pub const fn outer_name(&self) -> &'static str {
        match self.flat {
            Some(flat) => flat.rust_name,
            None => self.rust_name,
        }
    }

    /// Returns the path in the names of Rust, joined by dots: `home.city`.
    pub(crate) const fn rust_path(&self) -> Text {
        let Some(flat) = self.flat else { return text!("{}", self.rust_name) };
        let inner = flat.shape.fields();
        each!(for field in inner {
            if str_eq(field.name, self.name) {
                return text!("{}.{}", flat.rust_name, field.rust_path().as_str());
            }
        });
        text!("{}", self.rust_name)
    }
}
