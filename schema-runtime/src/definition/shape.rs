//! The shape of a value as it is stored: its BSON type and its bounds.

use super::{CopyDefinition, FieldDefinition, Variants, size::Nested};

/// How a field's values are stored, with the bounds that hold for them.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The type, without null.
    pub kind: Kind,
    /// Whether `null` may be stored too (an `Option`).
    pub nullable: bool,
    /// Whether a null could be read in two ways: an `Option` is in an `Option` or in a newtype.
    pub null_twice: bool,
    /// Whether it is an array that stands for a set.
    pub set: bool,
    /// Whether serde writes its entries or elements in an order by chance, as those of a `HashMap`. This crate stores them sorted.
    pub hashed: bool,
    /// The integer type of Rust, of an integer.
    pub integer: Option<Integer>,
    /// Whether serde refuses to read fields that the embedded struct does not have (`deny_unknown_fields`).
    pub strict: bool,
    /// Whether the derive found no mistake in the embedded struct. The checks of others stay silent about one that is not whole.
    pub whole: bool,
    /// The variants of an enum that holds data, which is stored as a document with a tag. Its [`Kind::Document`] has the fields of all of them.
    pub variants: Option<&'static Variants>,
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
        /// The most code points it may have; `None` when it was not declared.
        max_len: Option<u64>,
    },
    /// A unit enum, stored as the name of its variant.
    Enum(&'static [&'static str]),
    /// An array.
    Array {
        /// What each element looks like.
        items: &'static Shape,
        /// The fewest elements it may have.
        min: u64,
        /// The most elements it may have; `None` when it was not declared, which a model may not have.
        max: Option<u64>,
    },
    /// A document whose keys are data.
    Map {
        /// What each value looks like.
        values: &'static Shape,
        /// The most entries it may have; `None` when it was not declared, which a model may not have.
        max: Option<u64>,
    },
    /// An embedded struct.
    Document {
        /// The struct's name.
        name: &'static str,
        /// Its fields.
        fields: &'static [FieldDefinition],
        /// Whether its own derive has judged its fields; a generic struct is judged where it is used.
        judged: bool,
        /// The fields that are copies.
        copies: &'static [CopyDefinition],
    },
    /// A struct with a collection of its own, which may not be embedded.
    Model {
        /// The struct's name.
        name: &'static str,
    },
    /// A value that only its own serde implementation knows.
    Opaque {
        /// The most bytes it may take as BSON.
        max_bytes: u64,
        /// Whether serde writes or reads it by a function of its field (`with`).
        converted: bool,
    },
}

/// What an integer type of Rust holds of what BSON stores, which is 64 bits with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// The type: `i32`.
    pub name: &'static str,
    /// The least number that it holds.
    pub least: i64,
    /// The greatest number that it holds.
    pub greatest: i64,
}

impl Integer {
    /// Whether it holds all that the other does.
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
    /// `double`; an `int` or a `long` is read as one.
    Double,
    /// The same, within the range of an `f32`.
    Single,
    /// `bool`.
    Bool,
}

impl Scalar {
    /// Whether the type is a binary floating-point number.
    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Scalar::Double | Scalar::Single)
    }

    /// Whether the type holds fractions.
    pub(crate) const fn is_fraction(self) -> bool {
        self.is_float() || matches!(self, Scalar::Decimal128)
    }

    /// Whether the type is a number.
    pub(crate) const fn is_number(self) -> bool {
        self.is_fraction() || matches!(self, Scalar::Integer)
    }
}

impl Shape {
    /// A shape that is never null.
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
            integer: None,
            strict: false,
            whole: true,
            variants: None,
            nested,
        }
    }

    /// A struct with a collection of its own.
    pub const fn model(name: &'static str) -> Self {
        Shape::new(Kind::Model { name })
    }

    /// An embedded struct.
    pub const fn document(name: &'static str, fields: &'static [FieldDefinition], judged: bool) -> Self {
        Shape::new(Kind::Document { name, fields, judged, copies: &[] })
    }

    /// A list of these.
    pub const fn list(items: &'static Shape) -> Self {
        Shape::new(Kind::Array { items, min: 0, max: None })
    }

    /// The same with copies; a shape that is no embedded struct is left as it is.
    pub const fn copies(self, copies: &'static [CopyDefinition]) -> Self {
        let kind = match self.kind {
            Kind::Document { name, fields, judged, .. } => Kind::Document { name, fields, judged, copies },
            other => other,
        };
        Shape { kind, ..self }
    }

    /// A value that takes at most `max_bytes` as BSON.
    pub const fn opaque(max_bytes: u64) -> Self {
        Shape::new(Kind::Opaque { max_bytes, converted: false })
    }

    /// A value that a function of its field writes or reads.
    pub const fn converted(max_bytes: u64) -> Self {
        Shape::new(Kind::Opaque { max_bytes, converted: true })
    }

    /// A scalar.
    pub const fn scalar(scalar: Scalar) -> Self {
        Shape::new(Kind::Scalar(scalar))
    }

    /// An integer.
    pub const fn integer(integer: Integer) -> Self {
        Shape { integer: Some(integer), ..Shape::scalar(Scalar::Integer) }
    }

    /// The same, or `null`.
    pub const fn nullable(self) -> Self {
        Shape { nullable: true, null_twice: self.null_twice || self.nullable, ..self }
    }

    /// The same, of a newtype over a value of this shape.
    pub const fn newtype(self) -> Self {
        Shape { null_twice: self.null_twice || self.nullable, ..self }
    }

    /// The same, of an embedded struct in which the derive found a mistake.
    pub const fn not_whole(self) -> Self {
        Shape { whole: false, ..self }
    }

    /// The same, of an embedded struct that serde reads with `deny_unknown_fields`.
    pub const fn strict(self) -> Self {
        Shape { strict: true, ..self }
    }

    /// The same, of an enum that holds data.
    pub const fn variants(self, variants: &'static Variants) -> Self {
        Shape { variants: Some(variants), nested: Nested::of(self.fields(), Some(variants)), ..self }
    }

    /// The fields of an embedded struct or enum; none of any other shape.
    pub const fn fields(&self) -> &'static [FieldDefinition] {
        match self.kind {
            Kind::Document { fields, .. } => fields,
            _ => &[],
        }
    }

    /// The same, as a set.
    pub const fn set(self) -> Self {
        Shape { set: true, ..self }
    }

    /// The same, in an order by chance.
    pub const fn hashed(self) -> Self {
        Shape { hashed: true, ..self }
    }

    /// Whether it, or something inside of it, is in an order by chance.
    pub(crate) const fn holds_hashed(&self) -> bool {
        match self.kind {
            _ if self.hashed => true,
            Kind::Array { items, .. } => items.holds_hashed(),
            Kind::Map { values, .. } => values.holds_hashed(),
            Kind::Document { .. } => self.nested.holds_hashed,
            _ => false,
        }
    }

    /// The same with at most `max` elements or entries; a shape that has none is left as it is.
    pub const fn max(self, max: u64) -> Self {
        let kind = match self.kind {
            Kind::Array { items, min, .. } => Kind::Array { items, min, max: Some(max) },
            Kind::Map { values, .. } => Kind::Map { values, max: Some(max) },
            other => other,
        };
        Shape { kind, ..self }
    }

    /// The same with at most `max_len` code points; a shape that is not a string is left as it is.
    pub const fn max_len(self, max_len: u64) -> Self {
        let kind = match self.kind {
            Kind::String { .. } => Kind::String { max_len: Some(max_len) },
            other => other,
        };
        Shape { kind, ..self }
    }

    /// What the elements or entries look like; the shape itself when it has none.
    pub const fn item(self) -> Self {
        match self.kind {
            Kind::Array { items, .. } => *items,
            Kind::Map { values, .. } => *values,
            _ => self,
        }
    }

    /// The same with other elements or entries; a shape that has none is left as it is.
    pub const fn with_items(self, items: &'static Shape) -> Self {
        let kind = match self.kind {
            Kind::Array { min, max, .. } => Kind::Array { items, min, max },
            Kind::Map { max, .. } => Kind::Map { values: items, max },
            other => other,
        };
        Shape { kind, ..self }
    }

    /// Whether this is an array or a map.
    pub const fn is_collection(&self) -> bool {
        matches!(self.kind, Kind::Array { .. } | Kind::Map { .. })
    }
}
