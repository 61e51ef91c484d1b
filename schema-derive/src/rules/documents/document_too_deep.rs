//! Rule: `document_too_deep`. The page is `guide/pages/rules/document_too_deep.md`.

use crate::{
    errors::Errors,
    model::{Defect, Record},
};

const ID: &str = "document_too_deep";

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged().filter(|field| field.defect == Some(Defect::EmbedsItself)) {
        errors.rule(
            &field.ty,
            ID,
            &format!("`{}` embeds itself, and a document may nest at most 100 levels", record.item),
            &format!("give `{0}` a separate collection, where each document has `#[relation(one_to_many, parent_ref)] parent: Option<Ref<{0}>>`", record.item),
        );
    }
}
