//! Conditions that refuse a raw value over the bound, beside the `$jsonSchema`: the schema knows no bytes. Pure.
//!
//! A value in an array, in a map or in a variant of an enum has no path of its own, and only this crate judges the
//! value. Source: MongoDB, "$bsonSize", which takes documents only.

use mongodb::bson::{Bson, Document, doc};

use crate::definition::{FieldDefinition, Kind, ModelDefinition};

/// The bytes of a document around one value with a name of one letter: the length, the type, the name and two zeros.
const AROUND: u64 = 8;
/// The name of the value in the document.
const NAME: &str = "v";

/// Returns a condition for each raw value with a path.
pub(super) fn sizes(model: &ModelDefinition) -> Vec<Document> {
    match model.variants {
        Some(_) => Vec::new(),
        None => of_fields(model.fields, ""),
    }
}

/// Returns whether the condition is a condition of this file.
pub(super) fn is_size(condition: &Bson) -> bool {
    let size = |document: &Document| {
        let [measured, Bson::Int64(most)] = &document.get_array("$lte").ok()?[..] else { return None };
        let inside = measured.as_document()?.get_document("$bsonSize").ok()?.get_str(NAME).ok()?;
        Some(*document == at_most(inside, *most))
    };
    condition.as_document().and_then(size) == Some(true)
}

fn of_fields(fields: &[FieldDefinition], at: &str) -> Vec<Document> {
    let of_field = |field: &FieldDefinition| {
        let path = format!("{at}{}", field.name);
        match (field.shape.kind, field.shape.variants) {
            (Kind::Opaque { max_bytes, raw: Some(_), .. }, _) => {
                let most = i64::try_from(max_bytes.saturating_add(AROUND)).unwrap_or(i64::MAX);
                vec![at_most(&format!("${path}"), most)]
            }
            (Kind::Document { fields, .. }, None) => of_fields(fields, &format!("{path}.")),
            _ => Vec::new(),
        }
    };
    fields.iter().flat_map(of_field).collect()
}

fn at_most(path: &str, most: i64) -> Document {
    doc! { "$lte": [{ "$bsonSize": { NAME: path } }, most] }
}
