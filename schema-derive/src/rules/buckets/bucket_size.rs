//! Rule: `bucket_size`. The page is `guide/pages/rules/bucket_size.md`.

use crate::{errors::Errors, model::Model};

const ID: &str = "bucket_size";
/// The fewest children of a bucket.
const LEAST: u64 = 2;
/// The most children of a bucket, without a reason.
const MOST: u64 = 200;

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some(bucket) = &model.bucket else { return };
    let Some(size) = &bucket.size else {
        // A size that is not a number is reported at the size.
        if errors.is_empty() {
            let what = "this bucket has no `size`, and a document that only grows ends at 16 MiB";
            let by =
                bucket.by.as_ref().map(|by| format!("by = {}({}), ", by.span.word(), by.field)).unwrap_or_default();
            let help = format!(
                "write `bucket({by}size = 50)` with the number of children that are read together, at most 200"
            );
            errors.rule(&bucket.tokens, ID, what, &help);
        }
        return;
    };
    if size.value < LEAST {
        let what = format!("a bucket holds many children, and {} is not many", size.value);
        let help = "write `size = 50` with the number of children that are read together, or remove `bucket(..)`: each child is then a separate document";
        errors.rule(&size.tokens, ID, &what, help);
    } else if size.value > MOST && !model.allows.iter().any(|allow| allow.rule == ID) {
        let what = format!(
            "a bucket of {} children is sorted at each insert and written at each change of a child: over {MOST} children are too many",
            size.value
        );
        let help = "write `size = 50` with the number of children that are read together; or give a reason: `#[model(.., allow(bucket_size, reason = \"..\"))]`";
        errors.rule(&size.tokens, ID, &what, help);
    }
}
