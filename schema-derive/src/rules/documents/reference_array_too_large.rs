//! Rule: `reference_array_too_large`. The page is `guide/pages/rules/reference_array_too_large.md`.

use crate::{errors::Errors, model::Record};

const ID: &str = "reference_array_too_large";
/// The most references without a reason.
const MOST: u64 = 2_000;
/// The most references with a reason.
const NEVER_OVER: u64 = 5_000;

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged() {
        let Some(relation) = field.relation().filter(|relation| relation.storage.refers() && relation.is_array())
        else {
            continue;
        };
        let Some(max) = relation.max.as_ref().filter(|max| max.value > MOST) else { continue };
        let parent_ref =
            "store the reference on the far side: `#[relation(one_to_squillions, parent_ref)]` on a `Ref<..>` there";
        let what = format!("`{}` stores up to {} references in a document", field.rust_name, max.value);
        if max.value > NEVER_OVER {
            errors.rule(
                &max.tokens,
                ID,
                &format!("{what}, and over {NEVER_OVER} are too many, even with a reason"),
                parent_ref,
            );
        } else if !field.allows(ID) {
            errors.rule(
                &max.tokens,
                ID,
                &format!("{what}, and over {MOST} are too many for an array"),
                &format!("{parent_ref}; or give a reason: `allow({ID}, reason = \"..\")`"),
            );
        }
    }
}
