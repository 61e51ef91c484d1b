//! Rule: `patch_field`. The page is `guide/pages/rules/patch_field.md`.

use quote::ToTokens;

use crate::{
    errors::Errors,
    model::patch::{Patch, PatchField, PatchForm},
    parse::identifier,
};

const ID: &str = "patch_field";

pub(in crate::rules) fn enforce(patch: &Patch, errors: &Errors) {
    if patch.fields.is_empty() && errors.is_empty() {
        let what = format!("`{}` has no field, and changes nothing", patch.ident);
        let help =
            format!("write `struct {} {{ title: Option<String> }}` with the fields that may change", patch.ident);
        errors.rule(&patch.ident, ID, &what, &help);
    }
    for (at, field) in patch.fields.iter().enumerate() {
        if field.form == PatchForm::Plain {
            let (name, ty) = (identifier(&field.ident), field.ty.to_token_stream().to_string());
            let ty = ty.replace(" :: ", "::").replace(" < ", "<").replace(" >", ">").replace(" ,", ",");
            let what = format!("`{name}` always has a value, so that each patch would change the field");
            errors.rule(&field.ty, ID, &what, &format!("write `{name}: Option<{ty}>`: `None` changes nothing"));
        }
        if let Some(earlier) = patch.fields[..at].iter().find(|earlier| is_inside(earlier, field)) {
            let what = format!("`{}` and `{}` change the same field of the model", earlier.ident, field.ident);
            errors.rule(&field.ident, ID, &what, "remove one of the two fields");
        }
    }
}

/// Returns whether one field of the model is the other field, or is inside of the other field.
fn is_inside(one: &PatchField, other: &PatchField) -> bool {
    let mut names = one.path.iter().zip(&other.path);
    names.all(|(one, other)| identifier(one) == identifier(other))
}
