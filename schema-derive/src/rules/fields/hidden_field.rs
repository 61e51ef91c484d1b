//! Rule: `hidden_field`. The page is `guide/pages/rules/hidden_field.md`.

use syn::Type;

use crate::{
    errors::Errors,
    model::{Field, Hidden, Model, Record},
    parse::is_reference,
};

const ID: &str = "hidden_field";

/// Judges the types of the fields of a struct.
pub(in crate::rules) fn enforce_types(record: &Record, errors: &Errors) {
    for field in record.judged() {
        let (name, ty) = (&field.rust_name, text_of(&field.ty));
        match &field.hidden {
            None => {}
            Some(Hidden { written: None, .. }) => errors.rule(
                &field.ty,
                ID,
                &format!("`{name}` is hidden, and the type `{ty}` does not say whether the value was loaded"),
                &format!("write `#[hidden] {name}: Hidden<{ty}>`"),
            ),
            Some(Hidden { tokens: None, written: Some(written), .. }) => errors.rule(
                written,
                ID,
                &format!("`{name}` is a `Hidden<..>` without `#[hidden]`, and each read would load the value"),
                &format!(
                    "write `#[hidden] {name}: Hidden<{ty}>` on a field of a model; inside of an embedded struct or a variant write `{name}: {ty}`"
                ),
            ),
            Some(Hidden { tokens: Some(tokens), has_own_default: true, .. }) => errors.rule(
                tokens,
                ID,
                &format!("an absent `{name}` was not loaded, and serde's `default` would give a value that a `save` stores"),
                &format!("write `#[serde(default)]` on `{name}`, without a function"),
            ),
            Some(_) => {}
        }
    }
}

/// Judges the uses of the hidden fields of a model.
pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    if model.tagged.is_some() {
        return;
    }
    for field in model.record.judged() {
        let Some(tokens) = field.hidden.as_ref().and_then(|hidden| hidden.tokens.as_ref()) else { continue };
        if model.bucket.is_some() {
            errors.rule(
                tokens,
                ID,
                &format!("`{}` is in a child of a bucket, and a read of a bucket gets the children whole", field.rust_name),
                "remove `#[hidden]`, and write the type without `Hidden<..>`; or remove `bucket(..)` from `#[model(..)]`",
            );
        }
        if is_reference(&field.ty) {
            errors.rule(
                tokens,
                ID,
                &format!(
                    "`{}` is hidden, and this crate reads the references to find missing documents",
                    field.rust_name
                ),
                "remove `#[hidden]`, and write the type without `Hidden<..>`",
            );
            continue;
        }
        enforce_keys(model, field, errors);
        enforce_derived(model, field, errors);
    }
}

/// Refuses a hidden field in the shard key and in the order of a query.
fn enforce_keys(model: &Model, field: &Field, errors: &Errors) {
    let name = &field.rust_name;
    let is_of = |path: &[String]| path.first() == Some(name);
    for key in model.shard_key.iter().flat_map(|key| &key.fields).filter(|key| is_of(&key.path)) {
        errors.rule(
            &key.tokens,
            ID,
            &format!("`{name}` is hidden, and this crate finds a document by the shard key of the value"),
            "name a field that each read gets",
        );
    }
    for key in model.queries.iter().flat_map(|query| &query.order).filter(|key| is_of(&key.path)) {
        errors.rule(
            &key.tokens,
            ID,
            &format!("`{name}` is hidden, and the order of the documents, or a page token, would show the value"),
            "order by a field that each read gets",
        );
    }
}

/// Refuses a value that this crate makes of a hidden field, and copies beside a hidden reference.
fn enforce_derived(model: &Model, field: &Field, errors: &Errors) {
    let name = &field.rust_name;
    for other in model.record.judged() {
        if let Some(slug) = other.slug.as_ref().filter(|slug| slug.from == *name) {
            errors.rule(
                &slug.tokens,
                ID,
                &format!("`{name}` is hidden, and the slug `{}` would show the value", other.rust_name),
                "make the slug of a field that each read gets",
            );
        }
        if let Some(copy) = other.copy.as_ref().filter(|copy| copy.reference == *name) {
            errors.rule(
                &copy.tokens,
                ID,
                &format!(
                    "`{name}` is hidden, and this crate reads the reference beside the copy `{}`",
                    other.rust_name
                ),
                &format!("remove `#[hidden]` from `{name}`, and write the type without `Hidden<..>`"),
            );
        }
    }
}

/// Returns a type as the user writes the type.
fn text_of(ty: &Type) -> String {
    let text = quote::ToTokens::to_token_stream(ty).to_string();
    text.replace(" < ", "<")
        .replace(" <", "<")
        .replace(" >", ">")
        .replace("< ", "<")
        .replace(" :: ", "::")
        .replace(" ,", ",")
}
