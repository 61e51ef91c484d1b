//! Rule: `copy_of_copy`. The page is `guide/pages/rules/copy_of_copy.md`.

use crate::{
    errors::Errors,
    model::{Copy, Record},
};

const ID: &str = "copy_of_copy";

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged().filter(|field| field.copy.as_ref().is_some_and(Copy::tracks_source)) {
        if let Some(copied) = field.copied_to.first() {
            errors.rule(
                &copied.tokens,
                ID,
                &format!("`{}` is a copy, and a write of the source does not update a copy of a copy", field.rust_name),
                "move this `#[copied_to(..)]` to the source of this copy, and copy from the source",
            );
        }
    }
}
