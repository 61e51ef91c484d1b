//! `#[embed(flat)]`: an embedded struct with the fields stored beside the fields of the struct around the field.

use syn::{DeriveInput, GenericParam};

use super::{
    copy::{lower_changes, lower_copied_to},
    given::Given,
};
use crate::{
    attributes::{Attribute, Place},
    errors::Errors,
    model::{ChangeRate, Changes, Flat},
    parse::{Arguments, SerdeField, identifier},
};

/// Returns whether the attributes ask for a flat field in this place. An `_id` and a skipped field are never flat.
pub(super) fn is_flat(field: &syn::Field, serde: &SerdeField, place: Place) -> bool {
    let has_embed = field.attrs.iter().any(|attribute| Attribute::of(attribute.path()) == Some(Attribute::Embed));
    let is_named = has_embed && serde.name != "_id" && !serde.skipped;
    Attribute::Embed.may_stand(place) && (serde.flat || is_named)
}

/// Reads a flat field.
pub(super) fn lower_flat(field: &syn::Field, serde: &SerdeField, place: Place, errors: &Errors) -> Option<Flat> {
    let before = errors.count();
    let ident = field.ident.clone()?;
    let rust_name = identifier(&ident);
    let given = Given::read(&field.attrs, place, Some(&rust_name), errors);
    let attribute = given.get(Attribute::Embed);
    if let Some(attribute) = attribute {
        let mut arguments = Arguments::read(attribute, errors);
        // `max` is the bound of a list, in `#[relation(.., embed, max = 20)]`.
        match arguments.get("max") {
            Some(_) => refuse_without_flat(&arguments, &rust_name, errors),
            None => arguments.expect_words(&Attribute::Embed.words(), errors),
        }
        if errors.count() == before {
            refuse_words(&arguments, &rust_name, errors);
        }
        if errors.count() == before {
            refuse_serde(attribute, serde, &rust_name, errors);
        }
    }
    let copied_to = lower_copied_to(&given, errors);
    let changes = lower_changes(&given, None, errors);
    if errors.count() == before {
        refuse_rate(&given, &changes, &rust_name, errors);
    }
    Some(Flat {
        visibility: field.vis.clone(),
        ty: field.ty.clone(),
        copied_to,
        changes,
        tokens: attribute.map_or_else(|| ident.clone().into(), |attribute| attribute.path().clone()),
        broken: serde.broken || attribute.is_none() || errors.count() > before,
        ident,
        rust_name,
    })
}

/// Refuses `crate`, a word of items, and an attribute without `flat`.
fn refuse_words(arguments: &Arguments, rust_name: &str, errors: &Errors) {
    if let Some(path) = arguments.get("crate") {
        errors.at(
            &path.tokens,
            format!("`crate` names this crate for a whole struct, and `{rust_name}` is a field\nhelp: write `#[embed(flat)]` here, and `crate` in the attribute above the struct"),
        );
    } else if arguments.get("flat").is_none() {
        refuse_without_flat(arguments, rust_name, errors);
    }
}

fn refuse_without_flat(arguments: &Arguments, rust_name: &str, errors: &Errors) {
    errors.at_span(
        arguments.span,
        format!("`#[embed(..)]` above a field needs the word `flat`\nhelp: write `#[embed(flat)] #[serde(flatten)]` to store the fields of `{rust_name}` beside the fields of this struct; to store a list inside the document, write `#[relation(one_to_few, embed, max = 20)]`"),
    );
}

/// Refuses a rate of changes of the whole struct: each field of the struct is a stored field.
fn refuse_rate(given: &Given<'_>, changes: &Changes, rust_name: &str, errors: &Errors) {
    let is_other = changes.per_day.is_some() || changes.rate == Some(ChangeRate::Often);
    if let Some(attribute) = given.get(Attribute::Changes).filter(|_| is_other) {
        errors.at(
            attribute.path(),
            format!("`{rust_name}` is flat, and only the fields inside `{rust_name}` change\nhelp: write `#[changes(seldom)]`, or remove `#[changes(..)]`"),
        );
    }
}

/// Requires that serde stores the fields as the attribute says.
fn refuse_serde(attribute: &syn::Attribute, serde: &SerdeField, rust_name: &str, errors: &Errors) {
    if !serde.flat {
        errors.at(
            attribute.path(),
            format!("serde stores `{rust_name}` as a document inside of the document, and a derive cannot add attributes of serde\nhelp: write `#[embed(flat)] #[serde(flatten)]`"),
        );
    } else if serde.custom {
        errors.at(
            attribute.path(),
            format!("serde's `with` stores `{rust_name}` as another type, and the derive does not know the stored fields\nhelp: remove `with`"),
        );
    }
}

/// Refuses a flat field in a struct that cannot have flat fields.
pub(super) fn refuse_struct(flat: &mut Flat, owner: &DeriveInput, strict: bool, errors: &Errors) {
    let mut parameters = owner.generics.params.iter();
    let (what, help) = if flat.broken {
        return;
    } else if parameters.any(|parameter| !matches!(parameter, GenericParam::Lifetime(_))) {
        (
            format!(
                "`{}` has a parameter, and the number of the stored fields is not known before the type of the parameter",
                owner.ident
            ),
            "write a separate struct for each type, or embed the field under a name with `#[relation(one_to_one, embed)]`",
        )
    } else if strict {
        (
            format!(
                "`{}` has `deny_unknown_fields`, and serde takes the fields of a flat struct for unknown fields",
                owner.ident
            ),
            "remove `deny_unknown_fields`",
        )
    } else {
        return;
    };
    flat.broken = true;
    errors.rule(&flat.tokens, "flat_field", &what, help);
}
