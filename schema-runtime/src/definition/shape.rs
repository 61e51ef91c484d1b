//! The shape of a stored value: the BSON type and the bounds.

use super::{CopyDefinition, FieldDefinition, Form, StoredAs, ValueRules, Variants, each, size::Nested};

/// The stored form of a field's values, with their bounds.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The type, without null.
    pub kind: Kind,
    /// True when `null` may be stored too (an `Option`).
    pub nullable: bool,
    /// True when a null could be read in two ways: an `Option` is in an `Option` or in a newtype.
    pub null_twice: bool,
    /// True when the shape is an array that stands for a set.
    pub set: bool,
    /// True when serde writes the entries or elements in an arbitrary order, as in a `HashMap`. This crate stores the
    /// elements sorted.
    pub hashed: bool,
    /// The stored form of a type of another crate; `None` where serde writes the stored form.
    pub form: Option<&'static Form>,
    /// The declaration of a type that serde writes as values of this shape; `None` for a type that this crate knows.
    pub stored_as: Option<&'static StoredAs>,
    /// The integer type of Rust, for an integer.
    pub integer: Option<Integer>,
    /// True when serde refuses to read fields that the embedded struct does not have (`deny_unknown_fields`).
    pub strict: bool,
    /// True when the derive found no mistake in the embedded struct. The checks of other structs stay silent about a
    /// struct that is not whole.
    pub whole: bool,
    /// The variants of an enum that holds data, stored as a document with a tag. The [`Kind::Document`] of the enum has
    /// the fields of all variants.
    pub variants: Option<&'static Variants>,
    /// The rules about the value (`#[check(..)]`), beside the bounds.
    pub rules: ValueRules,
    /// For a reference to a collection that nothing can refer to, the word of the kind of the collection; else empty.
    pub(crate) unreferable: &'static str,
    /// The size of an embedded struct.
    pub(crate) nested: Nested,
}

/// The type of a stored value.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One BSON value of fixed or small size.
    Scalar(Scalar),
    /// A UTF-8 string.
    String {
        /// The most code points of the string; `None` when no bound is declared.
        max_len: Option<u64>,
    },
    /// A unit enum, stored as the name of its variant.
    Enum(&'static [&'static str]),
    /// An array.
    Array {
        /// The shape of each element.
        items: &'static Shape,
        /// The fewest elements of the array.
        min: u64,
        /// The most elements of the array; `None` when no bound is declared, which a model may not have.
        max: Option<u64>,
    },
    /// A document whose keys are data.
    Map {
        /// The shape of each value.
        values: &'static Shape,
        /// The most entries of the map; `None` when no bound is declared, which a model may not have.
        max: Option<u64>,
    },
    /// An embedded struct.
    Document {
        /// The struct's name.
        name: &'static str,
        /// The fields of the struct.
        fields: &'static [FieldDefinition],
        /// True when the struct's own derive has judged the fields; a generic struct is judged where the struct is
        /// used.
        judged: bool,
        /// The fields that are copies.
        copies: &'static [CopyDefinition],
    },
    /// A struct that is a model: the struct has a collection and may not be embedded.
    Model {
        /// The struct's name.
        name: &'static str,
    },
    /// A value in a form that only the serde implementation knows.
    Opaque {
        /// The most bytes of the value as BSON.
        max_bytes: u64,
        /// True when serde writes or reads the value by a function of the field (`with`).
        converted: bool,
        /// The contents, for a type that holds BSON or JSON of any form. A `max_bytes` of 0 stands for no bound, which
        /// a model may not have.
        raw: Option<Raw>,
    },
}

/// The contents of a raw value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw {
    /// Any value: a `Bson`, a `serde_json::Value`.
    Value,
    /// A document: a `Document`.
    Document,
}

/// The range of an integer type of Rust. BSON stores integers of 64 bits with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// The type: `i32`.
    pub name: &'static str,
    /// The least number of the type.
    pub least: i64,
    /// The greatest number of the type.
    pub greatest: i64,
}

impl Integer {
    /// Returns whether the type holds all numbers of the other type.
    pub const fn has_room_for(&self, other: &Integer) -> bool {
        self.least <= other.least && other.greatest <= self.greatest
    }
}

/// A BSON type that holds one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `objectId`, 12 bytes.
    ObjectId,
    /// `date`, milliseconds since 1970 in UTC.
    DateTime,
    /// `decimal`, 16 bytes.
    Decimal128,
    /// `binData` of any length.
    Binary,
    /// `binData` of 16 bytes, subtype 4.
    Uuid,
    /// `timestamp`, the server's internal type.
    Timestamp,
    /// `int` or `long`: serde may write either.
    Integer,
    /// `double`; an `int` or a `long` is read as a `double`.
    Double,
    /// `double`, within the range of an `f32`.
    Single,
    /// `bool`.
    Bool,
}

impl Scalar {
    /// Returns whether the type is a binary floating-point number.
    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Scalar::Double | Scalar::Single)
    }

    /// Returns whether the type holds fractions.
    pub(crate) const fn is_fraction(self) -> bool {
        self.is_float() || matches!(self, Scalar::Decimal128)
    }

    /// Returns whether the type is a number.
    pub(crate) const fn is_number(self) -> bool {
        self.is_fraction() || matches!(self, Scalar::Integer)
    }
}

impl Shape {
    /// Creates a shape that is never null.
    pub const fn new(kind: Kind) -> Self {
        let nested = match kind {
            Kind::Document { fields, .. } => Nested::of(fields, None),
            _ => Nested::NONE,
        };
        Shape {
            kind,
            nullable: false,
            null_twice: false,
            set: false,
            hashed: false,
            form: None,
            stored_as: None,
            integer: None,
            strict: false,
            whole: true,
            variants: None,
            rules: ValueRules::NONE,
            unreferable: "",
            nested,
        }
    }

    /// Creates the shape of a struct that is a model.
    pub const fn model(name: &'static str) -> Self {
        Shape::new(Kind::Model { name })
    }

    /// Creates the shape of an embedded struct.
    pub const fn document(name: &'static str, fields: &'static [FieldDefinition], judged: bool) -> Self {
        Shape::new(Kind::Document { name, fields, judged, copies: &[] })
    }

    /// Creates the shape of a list of these items.
    pub const fn list(items: &'static Shape) -> Self {
        Shape::new(Kind::Array { items, min: 0, max: None })
    }

    /// Sets the copies of an embedded struct. Every other shape stays the same.
    pub const fn copies(self, copies: &'static [CopyDefinition]) -> Self {
        let kind = match self.kind {
            Kind::Document { name, fields, judged, .. } => Kind::Document { name, fields, judged, copies },
            other => other,
        };
        Shape { kind, ..self }
    }

    /// Creates the shape of a value that takes at most `max_bytes` as BSON.
    pub const fn opaque(max_bytes: u64) -> Self {
        Shape::new(Kind::Opaque { max_bytes, converted: false, raw: None })
    }

    /// Creates the shape of a value that a function of its field writes or reads.
    pub const fn converted(max_bytes: u64) -> Self {
        Shape::new(Kind::Opaque { max_bytes, converted: true, raw: None })
    }

    /// Creates the shape of a value that holds BSON of any form, without a bound.
    pub const fn raw(raw: Raw) -> Self {
        Shape::new(Kind::Opaque { max_bytes: 0, converted: false, raw: Some(raw) })
    }

    /// Sets the most bytes of a raw value. Every other shape stays the same.
    pub const fn max_bytes(self, max_bytes: u64) -> Self {
        let kind = match self.kind {
            Kind::Opaque { converted, raw: Some(raw), .. } => Kind::Opaque { max_bytes, converted, raw: Some(raw) },
            other => other,
        };
        Shape { kind, ..self }
    }

    /// Creates the shape of a scalar.
    pub const fn scalar(scalar: Scalar) -> Self {
        Shape::new(Kind::Scalar(scalar))
    }

    /// Creates the shape of an integer.
    pub const fn integer(integer: Integer) -> Self {
        Shape { integer: Some(integer), ..Shape::scalar(Scalar::Integer) }
    }

    /// Allows `null`.
    pub const fn nullable(self) -> Self {
        Shape { nullable: true, null_twice: self.null_twice || self.nullable, ..self }
    }

    /// Makes the shape the shape of a newtype over a value of this shape.
    pub const fn newtype(self) -> Self {
        Shape { null_twice: self.null_twice || self.nullable, ..self }
    }

    /// Marks an embedded struct in which the derive found a mistake.
    pub const fn not_whole(self) -> Self {
        Shape { whole: false, ..self }
    }

    /// Marks an embedded struct that serde reads with `deny_unknown_fields`.
    pub const fn strict(self) -> Self {
        Shape { strict: true, ..self }
    }

    /// Sets the variants of an enum that holds data.
    pub const fn variants(self, variants: &'static Variants) -> Self {
        Shape { variants: Some(variants), nested: Nested::of(self.fields(), Some(variants)), ..self }
    }

    /// Returns the fields of an embedded struct or enum, and no fields for every other shape.
    pub const fn fields(&self) -> &'static [FieldDefinition] {
        match self.kind {
            Kind::Document { fields, .. } => fields,
            _ => &[],
        }
    }

    /// Marks a reference to a collection that nothing can refer to, with the word of the kind of the collection; an
    /// empty word marks nothing.
    pub const fn of_reference(self, unreferable: &'static str) -> Self {
        Shape { unreferable, ..self }
    }

    /// Marks the array as a set.
    pub const fn set(self) -> Self {
        Shape { set: true, ..self }
    }

    /// Marks an arbitrary order.
    pub const fn hashed(self) -> Self {
        Shape { hashed: true, ..self }
    }

    /// True when the shape, or a shape inside of the shape, is in an arbitrary order.
    pub(crate) const fn holds_hashed(&self) -> bool {
        match self.kind {
            _ if self.hashed => true,
            Kind::Array { items, .. } => items.holds_hashed(),
            Kind::Map { values, .. } => values.holds_hashed(),
            Kind::Document { .. } => self.nested.holds_hashed,
            _ => false,
        }
    }

    /// True when the shape, or a shape inside of the shape, has a stored form of its own.
    pub(crate) const fn holds_forms(&self) -> bool {
        match self.kind {
            _ if self.form.is_some() => true,
            Kind::Array { items, .. } => items.holds_forms(),
            Kind::Map { values, .. } => values.holds_forms(),
            Kind::Document { .. } => self.nested.holds_forms,
            _ => false,
        }
    }

    /// True when a value may be a text, or hold a text.
    pub(crate) const fn may_hold_text(&self) -> bool {
        match self.kind {
            Kind::String { .. } | Kind::Enum(_) | Kind::Opaque { .. } => true,
            Kind::Scalar(_) | Kind::Model { .. } => false,
            Kind::Array { items, .. } => items.may_hold_text(),
            Kind::Map { values, .. } => values.may_hold_text(),
            Kind::Document { fields, .. } => {
                each!(for field in fields {
                    if field.shape.may_hold_text() {
                        return true;
                    }
                });
                self.variants.is_some()
            }
        }
    }

    /// Sets the most elements or entries. A shape without elements or entries stays the same.
    pub const fn max(self, max: u64) -> Self {
        let kind = match self.kind {
            Kind::Array { items, min, .. } => Kind::Array { items, min, max: Some(max) },
            Kind::Map { values, .. } => Kind::Map { values, max: Some(max) },
            other => other,
        };
        Shape { kind, ..self }
    }

    /// Sets the most code points of a string. Every other shape stays the same.
    pub const fn max_len(self, max_len: u64) -> Self {
        let kind = match self.kind {
            Kind::String { .. } => Kind::String { max_len: Some(max_len) },
            other => other,
        };
        Shape { kind, ..self }
    }

    /// Returns the shape of the elements or entries; the shape itself when the shape has no elements or entries.
    pub const fn item(self) -> Self {
        match self.kind {
            Kind::Array { items, .. } => *items,
            Kind::Map { values, .. } => *values,
            _ => self,
        }
    }

    /// Replaces the shape of the elements or entries. A shape without elements or entries stays the same.
    pub const fn with_items(self, items: &'static Shape) -> Self {
        let kind = match self.kind {
            Kind::Array { min, max, .. } => Kind::Array { items, min, max },
            Kind::Map { max, .. } => Kind::Map { values: items, max },
            other => other,
        };
        Shape { kind, ..self }
    }

    /// Returns whether the shape is an array or a map.
    pub const fn is_collection(&self) -> bool {
        matches!(self.kind, Kind::Array { .. } | Kind::Map { .. })
    }
}
