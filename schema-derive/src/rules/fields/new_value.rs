//! Rule: `new_value`. The page is `guide/pages/rules/new_value.md`.

use quote::ToTokens;

use crate::{
    errors::Errors,
    model::{Field, FillValue, Model, Writes},
};

const ID: &str = "new_value";
/// The longest name of a sequence, in bytes.
const LONGEST: usize = 200;

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some(new) = &model.new else { return };
    let (name, ident) = (&model.record.ident, &new.ident);
    if let (Some(_), Some(tokens)) = (&model.tagged, &new.tokens) {
        let what = format!("`{name}` is an enum, and a struct of new values has the fields of one shape");
        errors.rule(tokens, ID, &what, &format!("remove `new`, and insert a value of `{name}`"));
    }
    let filled = model.record.judged().find_map(|field| field.fill.as_ref());
    let first = new.tokens.as_ref().map(ToTokens::to_token_stream);
    let first = first.or_else(|| filled.map(|fill| fill.tokens.to_token_stream()));
    if let (Writes::Nothing | Writes::Viewed, Some(tokens)) = (model.writes, first) {
        let word = model.writes.word();
        let what = format!("`{ident}` is a struct of inserted values, and a `{word}` model has no inserts");
        errors.rule(tokens, ID, &what, &format!("remove the word or the attribute, or `{word}`"));
    }
    model.record.judged().for_each(|field| enforce_sequence(field, errors));
}

fn enforce_sequence(field: &Field, errors: &Errors) {
    let Some(FillValue::Sequence(sequence)) = field.fill.as_ref().map(|fill| &fill.value) else { return };
    let Some(tokens) = &sequence.tokens else { return };
    if sequence.name.is_empty() || sequence.name.len() > LONGEST {
        let what =
            format!("the name of a sequence has 1 to {LONGEST} bytes, and this name has {}", sequence.name.len());
        errors.rule(tokens, ID, &what, "write `sequence = \"invoices\"`, or `sequence` alone");
    }
}
