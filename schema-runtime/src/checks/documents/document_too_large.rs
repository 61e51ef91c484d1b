//! Rule: `document_too_large`. The page is `guide/pages/rules/document_too_large.md`.

use crate::definition::{ModelDefinition, digits, each, largest_document, largest_value, refuse};

/// The most bytes of a document.
pub(in crate::checks) const MOST: u64 = 16 * 1024 * 1024;

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition) {
    let size = largest_document(model.fields, model.variants);
    if size <= MOST {
        return;
    }
    let mut largest = &model.fields[0];
    each!(for field in model.fields {
        if largest_value(&field.shape) > largest_value(&largest.shape) {
            largest = field;
        }
    });
    let (what, help) = match model.bucket {
        Some(_) => ("a bucket", "lower the `size` of the bucket, or the bounds of a child"),
        None => ("a document", "lower the bounds of this field, or store the values in a separate collection"),
    };
    refuse! {
        "{} of `{}` can grow to {} bytes, and MongoDB's limit is {} (16 MiB)",
            what, model.model, digits(size).as_str(), digits(MOST).as_str();
        help: "the largest field is `{}` with up to {} bytes: {}",
            largest.rust_name, digits(largest_value(&largest.shape)).as_str(), help
    }
}
