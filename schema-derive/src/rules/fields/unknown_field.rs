//! Rule: `unknown_field`. The page is `guide/pages/rules/unknown_field.md`.

use crate::{
    errors::Errors,
    model::{Copy, Field, Record},
    parse::{collection_literal, is_plain},
};

const ID: &str = "unknown_field";

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged() {
        let Some(copy) = &field.copy else { continue };
        match record.fields.iter().find(|other| other.rust_name == copy.reference) {
            Some(reference) => enforce_reference(reference, copy, errors),
            None => errors.rule(
                &copy.tokens,
                ID,
                &format!("`{}` has no field `{}`", record.ident, copy.reference),
                &help(record),
            ),
        }
    }
}

fn help(record: &Record) -> String {
    let references: Vec<String> = record
        .fields
        .iter()
        .filter(|field| crate::parse::is_reference(&field.ty))
        .map(|field| format!("`{}`", field.rust_name))
        .collect();
    match &references[..] {
        [] => "`from` begins with a field of this struct that refers to the source: add a field with a `Ref<..>`"
            .to_owned(),
        [only] => format!("`from` begins with the field of this struct that refers to the source, as {only}"),
        several => {
            format!("`from` begins with the field of this struct that refers to the source: {}", several.join(" or "))
        }
    }
}

fn enforce_reference(reference: &Field, copy: &Copy, errors: &Errors) {
    let name = &reference.rust_name;
    let (what, help) = if collection_literal(&reference.ty).is_some() {
        let help = "begin `from` with a field that holds one `Ref<..>`".to_owned();
        (format!("`{name}` is a list, and a copy is of one source"), help)
    } else if is_plain(&reference.ty) {
        let help =
            format!("make `{name}` a `Ref<..>` to the source model, or begin `from` with a field that is a `Ref<..>`");
        (format!("`{name}` is not a reference, so the source document of the copy is unknown"), help)
    } else {
        return;
    };
    errors.rule(&copy.tokens, ID, &what, &help);
}
