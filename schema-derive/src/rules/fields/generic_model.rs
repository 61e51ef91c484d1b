//! Rule: `generic_model`. The page is `guide/pages/rules/generic_model.md`.

use crate::{
    errors::Errors,
    model::{Model, Record},
};

const ID: &str = "generic_model";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    if let Some(parameter) =
        model.record.generics.params.iter().find(|parameter| !matches!(parameter, syn::GenericParam::Lifetime(_)))
    {
        errors.rule(
            parameter,
            ID,
            &format!(
                "`{}` has a parameter, and a model is a single struct with a single collection",
                model.record.ident
            ),
            "derive `Embed` on the generic part, and hold the part in a separate model for each type",
        );
    }
}

/// Checks the copies of an embedded struct.
pub(in crate::rules) fn enforce_copies(record: &Record, errors: &Errors) {
    let mut copies = record.fields.iter().filter_map(|field| field.copy.as_ref());
    if let (false, Some(copy)) = (record.generics.params.is_empty(), copies.next()) {
        errors.rule(
            &copy.tokens,
            ID,
            &format!("`{}` has a type parameter, and a copy is of a single field of a single model", record.ident),
            "write a separate struct for each source",
        );
    }
}
