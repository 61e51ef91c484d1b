//! Rule: `embedded_array_too_large`. The page is `guide/pages/rules/embedded_array_too_large.md`.

use crate::{
    errors::Errors,
    model::{Record, Stored},
};

const ID: &str = "embedded_array_too_large";
/// The most embedded structs.
const MOST: u64 = 200;
/// The most children that a subset keeps.
const MOST_KEPT: u64 = 2_000;

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged() {
        if let Stored::Subset { keep } = &field.storage
            && keep.value > MOST_KEPT
        {
            errors.rule(
                &keep.tokens,
                ID,
                &format!(
                    "`{}` keeps {} children, and a write of a child rewrites all children: over {MOST_KEPT} are too many",
                    field.rust_name, keep.value
                ),
                &format!("write `keep = {MOST_KEPT}` at most, and read further children from the collection of the children"),
            );
        }
        let Some(relation) = field.relation().filter(|relation| relation.storage.nests()) else { continue };
        if let Some(max) = relation.max.as_ref().filter(|max| max.value > MOST && !field.allows(ID)) {
            errors.rule(
                &max.tokens,
                ID,
                &format!("`{}` embeds up to {} structs, and all structs are read and written with the document: over {MOST} are more than a few", field.rust_name, max.value),
                &format!("give the structs a separate collection, with `#[relation(one_to_many, parent_ref)]` in each struct; or give a reason: `allow({ID}, reason = \"..\")`"),
            );
        }
    }
}
