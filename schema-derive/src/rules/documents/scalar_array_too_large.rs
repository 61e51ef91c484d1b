//! Rule: `scalar_array_too_large`. The page is `guide/pages/rules/scalar_array_too_large.md`.

use crate::{
    errors::Errors,
    model::{Record, Stored},
};

const ID: &str = "scalar_array_too_large";
/// The most scalars without a reason.
const MOST: u64 = 2_000;

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged() {
        let Stored::Bound(bound) = &field.storage else { continue };
        if let Some(max) = bound.max.as_ref().filter(|max| max.value > MOST && !field.allows(ID)) {
            errors.rule(
                &max.tokens,
                ID,
                &format!("`{}` holds up to {} values in a document, and over {MOST} are too many for an array", field.rust_name, max.value),
                &format!("give the values a separate collection, with a `parent_ref` in each document; or give a reason: `allow({ID}, reason = \"..\")`"),
            );
        }
    }
}
