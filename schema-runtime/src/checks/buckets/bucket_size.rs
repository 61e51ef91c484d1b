//! Rule: `bucket_size`
//!
//! The half of the rule that knows the size of a child, by the estimate of `document_too_large`.

use crate::{
    checks::documents::document_too_large,
    definition::{Allow, BucketDefinition, Kind, Message, find, largest_document, largest_value},
    model::Model,
};

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
    if size <= MOST || is_refused || Allow::any(M::DEFINITION.allows, "bucket_size") {
        return;
    }
    let child = largest_value(&items.shape.item());
    let fits = match items.shape.kind {
        Kind::Array { max: Some(max), .. } => MOST / size.div_ceil(max),
        _ => 0,
    };
    Message::new()
        .text("the children of a bucket of ")
        .code(M::STRUCT)
        .text(" can take ")
        .number(size)
        .text(" bytes, all of which are written at each change of one: over ")
        .number(MOST)
        .text(" (1 MiB) is too much, and one child can take ")
        .number(child)
        .text("\nhelp: ")
        .message(&match fits {
            0 | 1 => Message::new(),
            fits => Message::new().text("write `size = ").number(fits).text("` or less, or "),
        })
        .text("lower the bounds of the child; or give a reason: `#[model(.., allow(bucket_size, reason = \"..\"))]`\nrule: bucket_size")
        .fail()
}
