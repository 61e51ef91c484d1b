//! The variants of an enum that holds data, as serde writes them: a document with the name of its variant in a tag.

use super::{
    FieldDefinition, Kind, Raw, Scalar, Shape, each, form::same_form, stored_as::same_stored_as, str_eq,
    value_rule::same_rules,
};

/// The variants of an enum, and the field that names the variant of a document.
#[derive(Clone, Copy, Debug)]
pub struct Variants {
    /// The stored name of the tag.
    pub tag: &'static str,
    /// The variants, in the order of the enum.
    pub list: &'static [VariantDefinition],
    /// True when each variant has its content in a field beside the tag (`content = ".."`), and false when the fields
    /// of the variant are beside the tag.
    pub adjacent: bool,
}

/// One variant of an enum.
#[derive(Clone, Copy, Debug)]
pub struct VariantDefinition {
    /// The value of the tag.
    pub name: &'static str,
    /// The fields stored beside the tag; for an adjacently tagged enum, its content alone, or nothing.
    pub fields: &'static [FieldDefinition],
}

impl Variants {
    /// Creates the variants of an enum with this tag.
    pub const fn new(tag: &'static str, list: &'static [VariantDefinition]) -> Self {
        Variants { tag, list, adjacent: false }
    }

    /// Sets that each variant has its content in a field beside the tag.
    pub const fn adjacent(self) -> Self {
        Variants { adjacent: true, ..self }
    }

    /// Returns the variant of this stored name.
    pub const fn find(&self, name: &str) -> Option<&'static VariantDefinition> {
        each!(for variant in self.list {
            if str_eq(variant.name, name) {
                return Some(variant);
            }
        });
        None
    }
}

impl VariantDefinition {
    /// Creates a variant that is stored under this name.
    pub const fn new(name: &'static str, fields: &'static [FieldDefinition]) -> Self {
        VariantDefinition { name, fields }
    }
}

/// Returns the number of fields that [`merged`] gives.
pub const fn merged_len(first: &[FieldDefinition], variants: &[VariantDefinition]) -> usize {
    let (mut length, mut at) = (first.len(), 0);
    while at < variants.len() {
        let fields = variants[at].fields;
        each!(for field in fields {
            if !is_earlier(variants, at, field) {
                length += 1;
            }
        });
        at += 1;
    }
    length
}

/// Returns the fields of all variants, each field once: a field that several variants store in the same way is one
/// field. A field that not all variants have may be absent.
pub const fn merged<const N: usize>(first: &[FieldDefinition], variants: &[VariantDefinition]) -> [FieldDefinition; N] {
    let mut fields = [FieldDefinition::new("", "", Shape::opaque(0)); N];
    let mut length = 0;
    while length < first.len() {
        fields[length] = first[length];
        length += 1;
    }
    let mut at = 0;
    while at < variants.len() {
        let of_variant = variants[at].fields;
        each!(for field in of_variant {
            if !is_earlier(variants, at, field) {
                fields[length] = FieldDefinition { required: is_required(variants, field), ..*field };
                length += 1;
            }
        });
        at += 1;
    }
    fields
}

/// Returns whether a variant before number `until` stores the field in the same way.
const fn is_earlier(variants: &[VariantDefinition], until: usize, field: &FieldDefinition) -> bool {
    let (earlier, _) = variants.split_at(until);
    each!(for variant in earlier {
        if has(variant, field) {
            return true;
        }
    });
    false
}

/// Returns whether every variant has the field, and no variant may lack the field.
const fn is_required(variants: &[VariantDefinition], field: &FieldDefinition) -> bool {
    each!(for variant in variants {
        if !has(variant, field) {
            return false;
        }
    });
    field.required
}

const fn has(variant: &VariantDefinition, field: &FieldDefinition) -> bool {
    each!(for known in variant.fields {
        if same_field(known, field) {
            return true;
        }
    });
    false
}

const fn same_field(one: &FieldDefinition, other: &FieldDefinition) -> bool {
    str_eq(one.rust_name, other.rust_name)
        && str_eq(one.name, other.name)
        && one.required == other.required
        && one.skippable == other.skippable
        && same_shape(&one.shape, &other.shape)
}

/// Returns whether two values are stored in the same way, with the same bounds.
pub(crate) const fn same_shape(one: &Shape, other: &Shape) -> bool {
    if one.nullable != other.nullable
        || one.set != other.set
        || !same_form(one, other)
        || !same_stored_as(one, other)
        || !same_rules(&one.rules, &other.rules)
    {
        return false;
    }
    match (one.kind, other.kind) {
        (Kind::Scalar(Scalar::Integer), Kind::Scalar(Scalar::Integer)) => match (one.integer, other.integer) {
            (Some(one), Some(other)) => str_eq(one.name, other.name),
            (None, None) => true,
            _ => false,
        },
        (Kind::Scalar(one), Kind::Scalar(other)) => one as u8 == other as u8,
        (Kind::String { max_len: one }, Kind::String { max_len: other }) => same_bound(one, other),
        (Kind::Enum(one), Kind::Enum(other)) => same_names(one, other),
        (Kind::Array { items: one, min, max }, Kind::Array { items: other, min: fewest, max: most }) => {
            min == fewest && same_bound(max, most) && same_shape(one, other)
        }
        (Kind::Map { values: one, max }, Kind::Map { values: other, max: most }) => {
            same_bound(max, most) && same_shape(one, other)
        }
        (Kind::Document { name: one, .. }, Kind::Document { name: other, .. }) if !str_eq(one, other) => false,
        (Kind::Document { .. }, Kind::Document { .. }) => {
            same_fields(one.fields(), other.fields()) && same_variants(one.variants, other.variants)
        }
        (Kind::Model { name: one }, Kind::Model { name: other }) => str_eq(one, other),
        (Kind::Opaque { max_bytes: one, raw, .. }, Kind::Opaque { max_bytes: other, raw: of_other, .. }) => {
            one == other && same_raw(raw, of_other)
        }
        _ => false,
    }
}

const fn same_raw(one: Option<Raw>, other: Option<Raw>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one as u8 == other as u8,
        (None, None) => true,
        _ => false,
    }
}

/// Returns whether two enums, or two structs, store the same variants, with the same bounds.
pub(crate) const fn same_variants(one: Option<&Variants>, other: Option<&Variants>) -> bool {
    let (one, other) = match (one, other) {
        (None, None) => return true,
        (Some(one), Some(other)) => (one, other),
        _ => return false,
    };
    if !str_eq(one.tag, other.tag) || one.list.len() != other.list.len() {
        return false;
    }
    let mut at = 0;
    while at < one.list.len() {
        if !str_eq(one.list[at].name, other.list[at].name) || !same_fields(one.list[at].fields, other.list[at].fields) {
            return false;
        }
        at += 1;
    }
    true
}

const fn same_fields(one: &[FieldDefinition], other: &[FieldDefinition]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if !same_field(&one[at], &other[at]) {
            return false;
        }
        at += 1;
    }
    true
}

const fn same_names(one: &[&str], other: &[&str]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if !str_eq(one[at], other[at]) {
            return false;
        }
        at += 1;
    }
    true
}

const fn same_bound(one: Option<u64>, other: Option<u64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other,
        (None, None) => true,
        _ => false,
    }
}
