//! Attributes that mean nothing where they stand: those of a model on an embedded struct, any of a field on a struct or a variant.

use syn::{Attribute, Data, DeriveInput};

use crate::{errors::Errors, parse::identifier};

const OF_COPIES: [&str; 4] = ["denormalize", "copied_to", "volatile", "rarely_changes"];

/// Words of a field on the whole struct.
pub(super) fn refuse_on_struct(input: &DeriveInput, errors: &Errors) {
    for attribute in &input.attrs {
        if let Some(word) = word_of(attribute, &OF_COPIES) {
            errors.at(
                attribute.path(),
                format!("`#[{word}]` is for a field, and says nothing of a struct\nhelp: put it on the field that it is meant for"),
            );
        }
    }
}

pub(super) fn refuse_misplaced(input: &DeriveInput, errors: &Errors) {
    for attribute in input.attrs.iter().filter(|attribute| word_of(attribute, &OF_COPIES).is_none()) {
        refuse_of_model(attribute, "city", errors);
    }
    match &input.data {
        Data::Struct(data) => {
            for field in &data.fields {
                let name = field.ident.as_ref().map_or_else(|| "field".to_owned(), identifier);
                for attribute in &field.attrs {
                    refuse_of_model(attribute, &name, errors);
                }
            }
        }
        Data::Enum(data) => {
            for attribute in data.variants.iter().flat_map(|variant| &variant.attrs) {
                if let Some(word) = word_of(attribute, &OF_FIELDS) {
                    errors.at(
                        attribute.path(),
                        format!("a variant is stored as its name, and `#[{word}]` says nothing of it\nhelp: move it to the field that holds this enum"),
                    );
                }
            }
        }
        Data::Union(_) => {}
    }
}

const OF_FIELDS: [&str; 13] = [
    "index",
    "relation",
    "bound",
    "opaque",
    "version",
    "created_at",
    "updated_at",
    "denormalize",
    "copied_to",
    "volatile",
    "rarely_changes",
    "subset",
    "computed",
];

const OF_MODELS: [&str; 11] = [
    "index",
    "model",
    "inverse",
    "version",
    "created_at",
    "updated_at",
    "copied_to",
    "volatile",
    "rarely_changes",
    "subset",
    "computed",
];

fn refuse_of_model(attribute: &Attribute, field: &str, errors: &Errors) {
    match word_of(attribute, &OF_MODELS) {
        Some("index") => errors.at(
            attribute.path(),
            format!("an index is declared on the model, not inside an embedded struct\nhelp: write `#[index(outer.{field})]` on the model that holds this struct in its field `outer`"),
        ),
        Some(word @ ("subset" | "computed")) => errors.at(
            attribute.path(),
            format!("`#[{word}(..)]` is for a field of the model that the children refer to, and this struct is stored inside one\nhelp: put it on a field of that model"),
        ),
        Some(word @ ("version" | "created_at" | "updated_at")) => errors.at(
            attribute.path(),
            format!("`#[{word}]` is for a field of a model: it says something of the whole document, and this struct is stored inside one\nhelp: put it on a field of the model that holds this struct"),
        ),
        Some(word @ ("copied_to" | "volatile" | "rarely_changes")) => errors.at(
            attribute.path(),
            format!("`#[{word}]` is for a field of a model: this struct is stored inside one, whose writes propagate what is copied\nhelp: put it on the field of the model that holds this struct; a copy then says `from = part.outer.{field}` with that field in the place of `outer`"),
        ),
        Some(word) => errors.at(
            attribute.path(),
            format!("`#[{word}]` is for a struct with a collection of its own, and this one is stored inside another\nhelp: derive `Model` instead of `Embed`, or remove the attribute"),
        ),
        None => {}
    }
}

fn word_of(attribute: &Attribute, words: &[&'static str]) -> Option<&'static str> {
    words.iter().copied().find(|word| attribute.path().is_ident(word))
}
