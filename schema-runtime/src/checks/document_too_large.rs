//! Rule: `document_too_large`
//!
//! A document holds at most 16 MiB. The largest size is added up from what is declared: the bound of each array times its
//! elements, `max_len` at 4 bytes a code point, `max_bytes` of opaque values. A string without `max_len` counts as empty. An enum is as
//! large as its largest variant.
//!
//! Source: MongoDB limits, "BSON document size".

use crate::definition::{FieldDefinition, Kind, Message, ModelDefinition, Scalar, Shape, Variants};

/// The most bytes of a document.
pub(super) const MOST: u64 = 16 * 1024 * 1024;

#[track_caller]
pub(super) const fn enforce(model: &ModelDefinition) {
    let size = largest(model);
    if size <= MOST {
        return;
    }
    let mut largest = &model.fields[0];
    let mut at = 1;
    while at < model.fields.len() {
        if value(&model.fields[at].shape) > value(&largest.shape) {
            largest = &model.fields[at];
        }
        at += 1;
    }
    let bucket = model.bucket.is_some();
    Message::new()
        .text(if bucket { "a bucket of " } else { "a document of " })
        .code(model.model)
        .text(" can grow to ")
        .number(size)
        .text(" bytes, and MongoDB's limit is ")
        .number(MOST)
        .text(" (16 MiB)\nhelp: most of it is ")
        .code(largest.rust_name)
        .text(" with up to ")
        .number(value(&largest.shape))
        .text(" bytes: ")
        .text(if bucket {
            "lower the `size` of the bucket, or the bounds of a child"
        } else {
            "lower its bounds, or give it a collection of its own"
        })
        .text("\nrule: document_too_large")
        .fail()
}

/// The bytes of the largest document of a model.
pub(super) const fn largest(model: &ModelDefinition) -> u64 {
    of_variants(model.fields, model.variants)
}

/// The bytes of a document with these fields: its length, each type and name, and its end.
const fn document(fields: &[FieldDefinition]) -> u64 {
    let mut size: u64 = 5;
    let mut at = 0;
    while at < fields.len() {
        size = size.saturating_add(2 + fields[at].name.len() as u64).saturating_add(value(&fields[at].shape));
        at += 1;
    }
    size
}

/// The same, or of an enum those of its largest variant.
const fn of_variants(fields: &[FieldDefinition], variants: Option<&Variants>) -> u64 {
    let Some(Variants { tag, list }) = variants else { return document(fields) };
    let (mut largest, mut at) = (0, 0);
    while at < list.len() {
        // Beside the fields the tag: its type and name, and the name of the variant as a string.
        let tagged = (2 + tag.len() + 5 + list[at].name.len()) as u64;
        let size = document(list[at].fields).saturating_add(tagged);
        if size > largest {
            largest = size;
        }
        at += 1;
    }
    largest
}

/// The bytes of the largest value of a shape, without its type and name.
pub(super) const fn value(shape: &Shape) -> u64 {
    match shape.kind {
        Kind::Scalar(Scalar::Bool) => 1,
        Kind::Scalar(Scalar::ObjectId) => 12,
        Kind::Scalar(Scalar::DateTime | Scalar::Timestamp | Scalar::Integer | Scalar::Double) => 8,
        Kind::Scalar(Scalar::Decimal128) => 16,
        Kind::Scalar(Scalar::Uuid) => 21,
        Kind::Scalar(Scalar::Binary) => 5,
        Kind::String { max_len } => match max_len {
            Some(max_len) => 5u64.saturating_add(max_len.saturating_mul(4)),
            None => 5,
        },
        Kind::Enum(variants) => {
            let mut longest = 0;
            let mut at = 0;
            while at < variants.len() {
                if variants[at].len() > longest {
                    longest = variants[at].len();
                }
                at += 1;
            }
            5 + longest as u64
        }
        Kind::Array { items, max: Some(max), .. } => 5u64.saturating_add(elements(max, value(items))),
        Kind::Map { values, max: Some(max) } => {
            5u64.saturating_add(max.saturating_mul(value(values).saturating_add(2)))
        }
        Kind::Document { fields, .. } => of_variants(fields, shape.variants),
        Kind::Opaque { max_bytes } => max_bytes,
        Kind::Array { max: None, .. } | Kind::Map { max: None, .. } | Kind::Model { .. } => 0,
    }
}

/// The bytes of `count` elements: each has a type, its position in decimal as a name, and its value.
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
