//! Rule: `bucket_copy`. The page is `guide/pages/rules/bucket_copy.md`.

use crate::{
    errors::Errors,
    model::{Copy, CopyMode, Model},
};

const ID: &str = "bucket_copy";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    if model.bucket.is_none() {
        return;
    }
    for field in model.record.judged() {
        let name = &field.rust_name;
        if let Some(copy) = field.copy.as_ref().filter(|copy| Copy::tracks_source(copy)) {
            let what = format!(
                "`{name}` is a copy that follows the source, and a write of the source updates whole documents, not a child in a bucket"
            );
            let help = match copy.mode {
                CopyMode::External => "write `snapshot` in place of `external`: the copy keeps the value of the insert",
                CopyMode::Synced | CopyMode::Snapshot => "add `snapshot`: the copy keeps the value of the insert",
            };
            errors.rule(&copy.tokens, ID, &what, &format!("{help}; or remove `bucket(..)`"));
        }
        if let Some(rollup) = &field.rollup {
            let what = format!(
                "`{name}` would be updated by writes of further documents, and a child in a bucket is a part of a document"
            );
            errors.rule(&rollup.tokens, ID, &what, "compute the value at each read, or remove `bucket(..)`");
        }
    }
}
