//! Rule: `document_too_large`
//!
//! A document holds at most 16 MiB. The largest size is added up from the declarations: the bound of each array times its elements,
//! `max_len` at 4 bytes a code point, `max_bytes` of opaque values. A string without `max_len` counts as empty. An enum has the size of its
//! largest variant.
//!
//! Source: MongoDB limits, "BSON document size".

use crate::definition::{Message, ModelDefinition, largest_document, largest_value};

/// The most bytes of a document.
pub(in crate::checks) const MOST: u64 = 16 * 1024 * 1024;

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition) {
    let size = largest_document(model.fields, model.variants);
    if size <= MOST {
        return;
    }
    let mut largest = &model.fields[0];
    let mut at = 1;
    while at < model.fields.len() {
        if largest_value(&model.fields[at].shape) > largest_value(&largest.shape) {
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
        .number(largest_value(&largest.shape))
        .text(" bytes: ")
        .text(if bucket {
            "lower the `size` of the bucket, or the bounds of a child"
        } else {
            "lower its bounds, or give it a collection of its own"
        })
        .text("\nrule: document_too_large")
        .fail()
}
