//! Rule: `extra_fields`. The page is `guide/pages/rules/extra_fields.md`.

use crate::{
    errors::Errors,
    model::{Model, UnknownFields},
};

const ID: &str = "extra_fields";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let (given, extra) = (&model.unknown_fields, &model.record.extra);
    if let Some(given) = given.as_ref().filter(|_| model.tagged.is_some()) {
        let what = "the variants of an enum have different fields, and `unknown_fields` is for a struct";
        return errors.rule(
            &given.tokens,
            ID,
            what,
            "remove `unknown_fields`; or make the model a struct with a field that is an enum",
        );
    }
    if model.bucket.is_some() {
        let what = "a child in a bucket is a part of a document, and keeps or refuses no unknown fields";
        let help = "remove `unknown_fields` and `#[extra]`, or remove `bucket(..)`; a field of the type `Document` holds data of any form";
        match (given, extra.first()) {
            (Some(given), _) => errors.rule(&given.tokens, ID, what, help),
            (None, Some(extra)) => errors.rule(&extra.tokens, ID, what, help),
            (None, None) => {}
        }
        return;
    }
    let Some(first) = extra.first() else {
        if let Some(given) = given.as_ref().filter(|given| given.fields == UnknownFields::Keep && errors.is_empty()) {
            let what = "the unknown fields have no place in the value";
            errors.rule(&given.tokens, ID, what, "add a field: `#[extra] #[serde(skip)] rest: Document`");
        }
        return;
    };
    let ident = &first.ident;
    if let Some(second) = extra.get(1) {
        let what = format!("`{}` would hold the same unknown fields as `{ident}`", second.ident);
        errors.rule(&second.tokens, ID, &what, "keep one of the two fields");
    }
    if !first.is_skipped && errors.is_empty() {
        let what = format!("serde would store `{ident}` as a field of this name, beside the unknown fields themselves");
        errors.rule(
            &first.tokens,
            ID,
            &what,
            &format!("add `#[serde(skip)]` to `{ident}`: this crate writes and reads the fields in `{ident}`"),
        );
    }
    if let Some(given) = given.as_ref().filter(|given| given.fields != UnknownFields::Keep) {
        let what = format!("`{ident}` keeps the unknown fields, and `{}` contradicts `{ident}`", given.fields.word());
        errors.rule(&given.tokens, ID, &what, "write `unknown_fields = keep`, or remove the field with `#[extra]`");
    }
    if model.record.strict {
        let what = format!("serde's `deny_unknown_fields` refuses to read the fields that `{ident}` keeps");
        errors.rule(&first.tokens, ID, &what, "remove `deny_unknown_fields`");
    }
}
