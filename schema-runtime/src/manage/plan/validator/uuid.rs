//! Which documents hold a binary that is no UUID where the model has one, as conditions beside the `$jsonSchema`, which knows no subtypes.
//! Pure.
//!
//! MongoDB orders binaries by their length, then by their subtype, then by their bytes: the UUIDs are those between two ends. A value of a
//! map has no path, and is not judged. Source: MongoDB, "Comparison/Sort Order: BinData".

use mongodb::bson::{Binary, Bson, Document, Uuid, doc};

use crate::definition::{FieldDefinition, Kind, ModelDefinition, Scalar, Shape, Variants};

/// A condition for each way in which a document has one; none for most models.
pub(super) fn strays(model: &ModelDefinition) -> Vec<Document> {
    match model.variants {
        Some(variants) => of_variants(variants, ""),
        None => of_fields(model.fields, ""),
    }
}

/// Whether these are such conditions.
pub(super) fn are_strays(conditions: &Bson) -> bool {
    conditions.as_array().is_some_and(|list| list.iter().all(is_stray))
}

fn is_stray(condition: &Bson) -> bool {
    condition.as_document().is_some_and(|condition| {
        condition.iter().all(|(word, inner)| match word.as_str() {
            "$lt" => *inner == first(),
            "$gt" => *inner == last(),
            // The tag of an enum, and a path.
            word => (word == "$elemMatch" || !word.starts_with('$')) && (inner.as_str().is_some() || is_stray(inner)),
        })
    })
}

/// The same of documents with these fields, at the path that begins so.
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

/// A field of one variant may be another type's in another one.
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

/// The same of a value, or of an element of an array.
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

/// The UUID that is before all others.
fn first() -> Bson {
    end(0)
}

/// The UUID that is behind all others.
fn last() -> Bson {
    end(u8::MAX)
}

fn end(byte: u8) -> Bson {
    Bson::Binary(Binary::from_uuid(Uuid::from_bytes([byte; 16])))
}
