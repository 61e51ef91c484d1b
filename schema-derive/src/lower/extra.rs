//! `#[extra]` and `unknown_fields`: the fields of stored documents that a struct does not have.

use syn::FieldsNamed;

use super::number;
use crate::{
    attributes::{Attribute, Place},
    errors::Errors,
    model::{Extra, GivenUnknownFields, UnknownFields},
    parse::{Arguments, SerdeField},
};

/// Reads the fields with `#[extra]`. In another place than a field of a model the attribute is a mistake already.
pub(super) fn lower_extra(fields: &FieldsNamed, names: &[SerdeField], place: Place, errors: &Errors) -> Vec<Extra> {
    if !Attribute::Extra.may_stand(place) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (field, serde) in fields.named.iter().zip(names) {
        let is_it = |tokens: &&syn::Attribute| Attribute::of(tokens.path()) == Some(Attribute::Extra);
        let (Some(attribute), Some(ident)) = (field.attrs.iter().find(is_it), &field.ident) else { continue };
        let mut arguments = Arguments::read(attribute, errors);
        arguments.expect_words(&Attribute::Extra.words(), errors);
        found.push(Extra {
            ident: ident.clone(),
            ty: field.ty.clone(),
            tokens: attribute.path().clone(),
            max_bytes: number(arguments.get("max_bytes")),
            is_skipped: serde.skipped,
        });
    }
    found
}

/// Reads `unknown_fields = keep`.
pub(super) fn lower_unknown_fields(arguments: &Arguments, errors: &Errors) -> Option<GivenUnknownFields> {
    let argument = arguments.get("unknown_fields")?;
    let word = argument.name()?;
    let found = UnknownFields::ALL.iter().copied().find(|fields| word == fields.word());
    match found {
        Some(fields) => Some(GivenUnknownFields { fields, tokens: argument.tokens.clone() }),
        None => {
            let words: Vec<String> = UnknownFields::WORDS.iter().map(|word| format!("`{word}`")).collect();
            errors
                .at(&word, format!("`{word}` is no effect of unknown fields\nhelp: write one of {}", words.join(", ")));
            None
        }
    }
}
