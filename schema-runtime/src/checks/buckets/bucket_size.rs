//! Rule: `bucket_size`. The page is `guide/pages/rules/bucket_size.md`.
//!
//! The half of the rule that knows the size of a child, by the estimate of `document_too_large`.

use crate::{
    checks::documents::document_too_large,
    definition::{Allow, BucketDefinition, Kind, digits, find, largest_document, largest_value, refuse, text},
    model::Model,
};

const ID: &str = "bucket_size";

/// The most bytes of the children of a bucket, without a reason.
const MOST: u64 = 1024 * 1024;

/// Judges the `size` of `bucket(..)`.
#[track_caller]
pub const fn bucket_size<M: Model>() {
    let documents = M::DEFINITION.stored();
    let Some(items) = find(documents.fields, BucketDefinition::ITEMS) else { return };
    let size = largest_value(&items.shape);
    // `document_too_large` refuses a bucket that cannot be stored at all.
    let is_refused = largest_document(documents.fields, documents.variants) > document_too_large::MOST;
    if size <= MOST || is_refused || Allow::any(M::DEFINITION.allows, ID) {
        return;
    }
    let child = largest_value(&items.shape.item());
    let fits = match items.shape.kind {
        Kind::Array { max: Some(max), .. } => MOST / size.div_ceil(max),
        _ => 0,
    };
    let less = match fits {
        0 | 1 => text!(""),
        fits => text!("write `size = {}` or less, or ", digits(fits).as_str()),
    };
    refuse! {
        "the children of a bucket of `{}` can take {} bytes, and each change of a child writes all children: over {} (1 MiB) is too much, and a single child can take {}",
            M::STRUCT, digits(size).as_str(), digits(MOST).as_str(), digits(child).as_str();
        help: "{}lower the bounds of the child; or give a reason: `#[model(.., allow(bucket_size, reason = \"..\"))]`",
            less.as_str()
    }
}
