//! Conditions that refuse a binary that is no UUID in a UUID field of the model. The conditions stand beside the
//! `$jsonSchema`, since the schema knows no subtypes. Pure.
//!
//! MongoDB orders binaries by length, then by subtype, then by bytes: all UUIDs lie between two ends. A value of a map
//! has no path, and is not judged. Source: MongoDB, "Comparison/Sort Order: BinData".

use mongodb::bson::{Binary, Bson, Document, Uuid, doc};

use crate::definition::{FieldDefinition, Kind, ModelDefinition, Scalar, Shape, Variants};

/// Returns a condition for each way in which a document can hold a stray binary; empty for most models.
pub(super) fn strays(model: &ModelDefinition) -> Vec<Document> {
    match model.variants {
        Some(variants) => of_variants(variants, ""),
        None => of_fields(model.fields, ""),
    }
}

/// Returns whether a list holds only conditions of this file.
pub(super) fn are_strays(conditions: &Bson) -> bool {
    conditions.as_array().is_some_and(|list| list.iter().all(is_stray))
}

fn is_stray(condition: &Bson) -> bool {
    condition.as_document().is_some_and(|condition| {
        condition.iter().all(|(word, inner)| match word.as_str() {
            "$lt" => *inner == first(),
            "$gt" => *inner == last(),
            // The tag of an enum, or a path.
            word => (word == "$elemMatch" || !word.starts_with('$')) && (inner.as_str().is_some() || is_stray(inner)),
        })
    })
}

/// Returns the conditions for documents with the given fields. `at` is the beginning of each path.
fn of_fields(fields: &[FieldDefinition], at: &str) -> Vec<Document> {
    let of_field = |field: &FieldDefinition| {
        let path = format!("{at}{}", field.name);
        match (field.shape.kind, field.shape.variants) {
            (Kind::Document { .. }, Some(variants)) => of_variants(variants, &format!("{path}.")),
            (Kind::Document { fields, .. }, None) => of_fields(fields, &format!("{path}.")),
            _ => of_value(&field.shape).into_iter().map(|condition| doc! { &path: condition }).collect(),
        }
    };
    fields.iter().flat_map(of_field).collect()
}

/// Returns the conditions for each variant. A field may have different types in different variants; each condition
/// therefore names the variant.
fn of_variants(variants: &Variants, at: &str) -> Vec<Document> {
    let tag = format!("{at}{}", variants.tag);
    let mut judged = Vec::new();
    for variant in variants.list {
        for condition in of_fields(variant.fields, at) {
            let mut of_variant = doc! { &tag: variant.name };
            of_variant.extend(condition);
            judged.push(of_variant);
        }
    }
    judged
}

/// Returns the conditions for a value, or for an element of an array.
fn of_value(shape: &Shape) -> Vec<Document> {
    match (shape.kind, shape.variants) {
        (Kind::Scalar(Scalar::Uuid), _) => vec![doc! { "$lt": first() }, doc! { "$gt": last() }],
        (Kind::Array { items, .. }, _) => {
            of_value(items).into_iter().map(|condition| doc! { "$elemMatch": condition }).collect()
        }
        (Kind::Document { .. }, Some(variants)) => of_variants(variants, ""),
        (Kind::Document { fields, .. }, None) => of_fields(fields, ""),
        _ => Vec::new(),
    }
}

/// Returns the smallest UUID in MongoDB's order.
fn first() -> Bson {
    end(0)
}

/// Returns the greatest UUID in MongoDB's order.
fn last() -> Bson {
    end(u8::MAX)
}

fn end(byte: u8) -> Bson {
    Bson::Binary(Binary::from_uuid(Uuid::from_bytes([byte; 16])))
}
