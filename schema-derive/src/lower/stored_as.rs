//! `#[stored_as(..)]`: the type that serde writes in the place of a field or of a type.

use proc_macro2::TokenStream;
use syn::{DeriveInput, Fields, GenericParam, Token, Type, parse::ParseStream};

use super::given::Given;
use crate::{
    attributes::{Attribute, Place},
    errors::Errors,
    model::{Embed, Stored, StoredAs},
    parse::{SerdeField, last_segment, names},
};

const EXAMPLE: &str = "write `#[stored_as(String)]` with the type that serde writes";

/// Reads the declared type; `None` without the attribute, or after a mistake.
fn lower_type(given: &Given<'_>, errors: &Errors) -> Option<Type> {
    let attribute = given.get(Attribute::StoredAs)?;
    let parsed = attribute.parse_args_with(|input: ParseStream<'_>| {
        let ty = input.parse::<Type>()?;
        let further =
            if input.is_empty() { None } else { Some((input.parse::<Token![,]>()?, input.parse::<TokenStream>()?).1) };
        Ok((ty, further))
    });
    match parsed {
        Ok((ty, None)) => Some(ty),
        Ok((_, Some(further))) => {
            let word = further.clone().into_iter().next().map(|token| token.to_string()).unwrap_or_default();
            errors.at(&further, format!("unknown word `{word}` in `#[stored_as(..)]`\nhelp: {EXAMPLE}"));
            None
        }
        Err(_) => {
            errors.at(&attribute.meta, format!("`#[stored_as(..)]` needs a single type\nhelp: {EXAMPLE}"));
            None
        }
    }
}

/// Reads the declared type of a field. After a mistake the stored type is unknown. An attribute that cannot stand
/// beside another attribute still declares the type, so that rustc reports nothing about the type of the field.
pub(super) fn lower_stored_as(
    given: &Given<'_>,
    field: &syn::Field,
    serde: &SerdeField,
    (storage, place): (&mut Stored, Place),
    errors: &Errors,
) -> Option<StoredAs> {
    let of = &field.ty;
    let Some(attribute) = given.get(Attribute::StoredAs) else {
        let refused = Given::all_of(&field.attrs).get(Attribute::StoredAs)?;
        return Some(StoredAs::new(refused.parse_args().ok()?, of, serde.decoder.as_ref()));
    };
    let Some(ty) = lower_type(given, errors) else {
        *storage = Stored::Opaque { max_bytes: 0, converted: serde.custom };
        return None;
    };
    let is_nullable = is_option(&ty);
    if place == Place::ModelVariantField && serde.name == "_id" {
        errors.at(
            attribute.path(),
            "a document is found and referred to by the type of the `_id` alone\nhelp: write a newtype: `#[derive(Embed)] #[stored_as(String)] struct Name(String);`",
        );
    } else if is_option(of) && !is_nullable && !serde.custom {
        let inner = text(&ty);
        errors.at(
            &ty,
            format!(
                "serde writes null for a `None`, and `{inner}` has no null\nhelp: write `#[stored_as(Option<{inner}>)]`"
            ),
        );
    } else if is_nullable && !serde.default && (serde.decoder.is_some() || !is_option(of)) {
        errors.at(
            &ty,
            "an `Option` may be absent from a document, and serde does not read a document without this field\nhelp: add `#[serde(default)]`",
        );
    }
    Some(StoredAs::new(ty, of, serde.decoder.as_ref()))
}

/// Reads a struct or an enum with `#[stored_as(..)]`. Serde's attributes on the item are free: the declared type is the
/// whole form.
pub(super) fn lower_item(input: &DeriveInput, given: &Given<'_>, errors: &Errors) -> Option<Embed> {
    let ty = lower_type(given, errors)?;
    let fields: Vec<&Fields> = match &input.data {
        syn::Data::Struct(data) => vec![&data.fields],
        syn::Data::Enum(data) => data.variants.iter().map(|variant| &variant.fields).collect(),
        syn::Data::Union(_) => Vec::new(),
    };
    let inside = fields.into_iter().flatten().find_map(|field| Given::all_of(&field.attrs).first());
    if let Some(attribute) = inside {
        errors.at(
            attribute.path(),
            format!("`{}` is stored as a single value, and the fields inside are not stored\nhelp: remove this attribute, or `#[stored_as(..)]`", input.ident),
        );
    }
    for parameter in &input.generics.params {
        if let GenericParam::Type(parameter) = parameter
            && names(&ty, &parameter.ident)
        {
            errors.at(
                &ty,
                format!("the declared type is the same for each `{}`, and `{}` differs\nhelp: write a type without parameters", input.ident, parameter.ident),
            );
            return None;
        }
    }
    Some(Embed::StoredAs { ident: input.ident.clone(), generics: input.generics.clone(), ty: Box::new(ty) })
}

fn is_option(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|(name, _)| name == "Option")
}

/// Returns a type as text, as in code by hand.
fn text(ty: &Type) -> String {
    quote::ToTokens::to_token_stream(ty).to_string().replace(' ', "")
}
