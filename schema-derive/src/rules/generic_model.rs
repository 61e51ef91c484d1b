//! Rule: `generic_model`
//!
//! A model takes no type parameters: its collection, indexes and bounds are those of one struct, and the checks of a generic
//! one would not run before it is used. A generic `Embed` is checked at the model that holds it, but for copies, which name their
//! source: a struct with copies takes no type parameters either.
//!
//! Source: rustc evaluates a `const` that depends on a type parameter only where the type is used.

use crate::{
    errors::Errors,
    model::{Model, Record},
};

const ID: &str = "generic_model";

pub(super) fn enforce(model: &Model, errors: &Errors) {
    if let Some(parameter) =
        model.record.generics.params.iter().find(|parameter| !matches!(parameter, syn::GenericParam::Lifetime(_)))
    {
        errors.rule(
            parameter,
            ID,
            &format!("`{}` has a parameter, and a model is one struct with one collection", model.record.ident),
            "derive `Embed` on the generic part and hold it in one model for each type",
        );
    }
}

/// The copies of an embedded struct.
pub(super) fn enforce_copies(record: &Record, errors: &Errors) {
    let mut copies = record.fields.iter().filter_map(|field| field.copy.as_ref());
    if let (false, Some(copy)) = (record.generics.params.is_empty(), copies.next()) {
        errors.rule(
            &copy.tokens,
            ID,
            &format!("`{}` has a type parameter, and a copy is of one field of one model", record.ident),
            "write one struct for each source",
        );
    }
}
