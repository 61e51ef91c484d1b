//! The size of the largest document and the number of levels, added up from bounds. The shape of an embedded struct has
//! the sums, so that a struct that stands in many places is added up once.

use super::{
    FieldDefinition, Kind, Scalar, Shape, Variants, each, hold_forms, hold_stored_as,
    place::{are_whole, copies_inside},
    value_rule::hold_rules,
};

/// The sums of an embedded struct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nested {
    /// The bytes of the largest value.
    bytes: u64,
    /// The levels of documents and arrays, the struct itself among them.
    levels: u64,
    /// The number of copies in embedded structs further inside.
    pub(super) copies: usize,
    /// True when no embedded struct further inside has a mistake.
    pub(super) is_whole: bool,
    /// True when a shape inside is in an arbitrary order.
    pub(super) holds_hashed: bool,
    /// True when a shape inside has a stored form of its own.
    pub(super) holds_forms: bool,
    /// True when a shape inside has a rule about the value.
    pub(super) holds_rules: bool,
    /// True when a shape inside is declared by `#[stored_as(..)]`.
    pub(super) holds_stored_as: bool,
}

impl Nested {
    /// A value without fields.
    pub(super) const NONE: Nested = Nested {
        bytes: 0,
        levels: 0,
        copies: 0,
        is_whole: true,
        holds_hashed: false,
        holds_forms: false,
        holds_rules: false,
        holds_stored_as: false,
    };

    pub(super) const fn of(fields: &[FieldDefinition], variants: Option<&Variants>) -> Self {
        Nested {
            bytes: largest_document(fields, variants),
            levels: levels(fields),
            copies: copies_inside(fields),
            is_whole: are_whole(fields),
            holds_hashed: hold_hashed(fields),
            holds_forms: hold_forms(fields),
            holds_rules: hold_rules(fields),
            holds_stored_as: hold_stored_as(fields),
        }
    }
}

/// Returns whether a field, or a shape inside of a field, is in an arbitrary order.
pub(crate) const fn hold_hashed(fields: &[FieldDefinition]) -> bool {
    each!(for field in fields {
        if field.shape.holds_hashed() {
            return true;
        }
    });
    false
}

/// Returns the bytes of a document with these fields: the length, each type and name, and the end.
const fn document(fields: &[FieldDefinition]) -> u64 {
    let mut size: u64 = 5;
    each!(for field in fields {
        size = size.saturating_add(2 + field.name.len() as u64).saturating_add(largest_value(&field.shape));
    });
    size
}

/// Returns the bytes of the largest document with these fields; for an enum, with its largest variant.
pub(crate) const fn largest_document(fields: &[FieldDefinition], variants: Option<&Variants>) -> u64 {
    let Some(Variants { tag, list, .. }) = variants else { return document(fields) };
    let mut largest = 0;
    each!(for variant in list {
        // Beside the fields stands the tag: its type and name, and the name of the variant as a string.
        let tagged = (2 + tag.len() + 5 + variant.name.len()) as u64;
        let size = document(variant.fields).saturating_add(tagged);
        if size > largest {
            largest = size;
        }
    });
    largest
}

/// Returns the bytes of the largest value of a shape, without type and name.
pub(crate) const fn largest_value(shape: &Shape) -> u64 {
    match shape.kind {
        Kind::Scalar(Scalar::Bool) => 1,
        Kind::Scalar(Scalar::ObjectId) => 12,
        Kind::Scalar(Scalar::DateTime | Scalar::Timestamp | Scalar::Integer | Scalar::Double | Scalar::Single) => 8,
        Kind::Scalar(Scalar::Decimal128) => 16,
        Kind::Scalar(Scalar::Uuid) => 21,
        Kind::Scalar(Scalar::Binary) => 5,
        Kind::String { max_len } => match max_len {
            Some(max_len) => 5u64.saturating_add(max_len.saturating_mul(4)),
            None => 5,
        },
        Kind::Enum(variants) => {
            let mut longest = 0;
            each!(for variant in variants {
                if variant.len() > longest {
                    longest = variant.len();
                }
            });
            5 + longest as u64
        }
        Kind::Array { items, max: Some(max), .. } => 5u64.saturating_add(elements(max, largest_value(items))),
        Kind::Map { values, max: Some(max) } => {
            5u64.saturating_add(max.saturating_mul(largest_value(values).saturating_add(2)))
        }
        Kind::Document { .. } => shape.nested.bytes,
        Kind::Opaque { max_bytes, .. } => max_bytes,
        Kind::Array { max: None, .. } | Kind::Map { max: None, .. } | Kind::Model { .. } => 0,
    }
}

/// Returns the bytes of `count` elements: a type, the position in decimal as a name, and the value for each element.
const fn elements(count: u64, value: u64) -> u64 {
    let mut size: u64 = 0;
    let (mut from, mut digits): (u64, u64) = (0, 1);
    let mut limit: u64 = 10;
    while from < count {
        let until = if count < limit { count } else { limit };
        let each = value.saturating_add(2 + digits);
        size = size.saturating_add((until - from).saturating_mul(each));
        from = until;
        digits += 1;
        limit = limit.saturating_mul(10);
    }
    size
}

/// Returns the levels of a document with these fields.
pub(crate) const fn levels(fields: &[FieldDefinition]) -> u64 {
    let mut deepest = 0;
    each!(for field in fields {
        let depth = levels_inside(&field.shape);
        if depth > deepest {
            deepest = depth;
        }
    });
    1 + deepest
}

const fn levels_inside(shape: &Shape) -> u64 {
    match shape.kind {
        Kind::Array { items, .. } => 1 + levels_inside(items),
        Kind::Map { values, .. } => 1 + levels_inside(values),
        Kind::Document { .. } => shape.nested.levels,
        _ => 0,
    }
}
