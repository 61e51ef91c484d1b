//! Rule: `bucket_copy`
//!
//! What a child in a bucket holds is its own: a copy of another document is a `snapshot`, and nothing is copied from it or computed of it
//! or by it. Writes that follow others find and change whole documents, and a child is a part of one.
//!
//! Source: `docs/buckets-protocol.md` of this crate: an update of a child is one command on its bucket.

use crate::{
    errors::Errors,
    model::{Copy, CopyMode, Model},
};

const ID: &str = "bucket_copy";

pub(super) fn enforce(model: &Model, errors: &Errors) {
    if model.bucket.is_none() {
        return;
    }
    for field in model.record.judged() {
        let name = &field.rust_name;
        if let Some(copy) = field.copy.as_ref().filter(|copy| Copy::tracks_source(copy)) {
            let what = format!(
                "`{name}` is a copy that follows its source, and a child in a bucket is no document that could be found and updated"
            );
            let help = match copy.mode {
                CopyMode::Streamed => {
                    "write `snapshot` in place of `streamed`: the copy keeps the value that it was inserted with"
                }
                CopyMode::Synced | CopyMode::Snapshot => {
                    "add `snapshot`: the copy keeps the value that it was inserted with"
                }
            };
            errors.rule(&copy.tokens, ID, &what, &format!("{help}; or remove `bucket(..)`"));
        }
        if let Some(rollup) = &field.rollup {
            let what = format!(
                "`{name}` would be kept by writes of other documents, and a child in a bucket is a part of one"
            );
            errors.rule(&rollup.tokens, ID, &what, "compute it when it is read, or remove `bucket(..)`");
        }
    }
}
