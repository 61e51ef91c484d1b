//! `#[hidden]`: a field that a read gets only by name.

use proc_macro2::Ident;
use syn::{Type, parse_quote_spanned, spanned::Spanned};

use super::given::Given;
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{Hidden, Stored},
    parse::{HIDDEN, last_segment, ungroup},
};

/// Reads whether the field is hidden, and returns the type of the stored value: the type inside of `Hidden<..>`.
pub(super) fn lower_hidden(given: &Given<'_>, ty: &Type, has_own_default: bool) -> (Option<Hidden>, Type) {
    let tokens = given.get(Attribute::Hidden).map(|attribute| attribute.path().clone());
    if let Some(inner) = inside(ty, HIDDEN) {
        let written = Some(ungroup(ty).clone());
        return (Some(Hidden { tokens, written, has_own_default }), inner.clone());
    }
    let hidden = tokens.map(|tokens| Hidden { tokens: Some(tokens), written: None, has_own_default });
    // The type of the value in a mistake: an `Option<Hidden<T>>` stands for a `Hidden<Option<T>>`.
    let value = inside(ty, "Option").and_then(|inner| inside(inner, HIDDEN)).filter(|_| hidden.is_some());
    let value = value.map_or_else(|| ty.clone(), |value| parse_quote_spanned!(ty.span()=> Option<#value>));
    (hidden, value)
}

/// Refuses a hidden field that refers to documents of another model.
pub(super) fn refuse_references(ident: &Ident, hidden: Option<&Hidden>, storage: &mut Stored, errors: &Errors) {
    if let (Some(_), Stored::Relation(relation)) = (hidden, &*storage)
        && relation.storage.refers()
    {
        errors.at(
            &relation.storage_tokens,
            format!(
                "`{ident}` is hidden, and this crate reads the references to join and to delete documents\nhelp: remove `#[hidden]`, and write the type without `Hidden<..>`"
            ),
        );
        *storage = Stored::Plain;
    }
}

/// Returns the type inside of `Name<..>`.
fn inside<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    match last_segment(ty) {
        Some((found, arguments)) if found == name && arguments.len() == 1 => Some(arguments[0]),
        _ => None,
    }
}
