//! Attributes that mean nothing where they stand: those of a model on an embedded struct, and any on a variant.

use syn::{Attribute, Data, DeriveInput};

use crate::{errors::Errors, parse::identifier};

pub(super) fn refuse_misplaced(input: &DeriveInput, errors: &Errors) {
    for attribute in &input.attrs {
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
                if let Some(word) =
                    word_of(attribute, &["index", "relation", "bound", "opaque", "version", "created_at", "updated_at"])
                {
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

fn refuse_of_model(attribute: &Attribute, field: &str, errors: &Errors) {
    match word_of(
        attribute,
        &["index", "model", "inverse", "version", "created_at", "updated_at", "subset", "computed"],
    ) {
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
