//! One field and its attributes.

use proc_macro2::Ident;
use syn::{Attribute, Type, spanned::Spanned};

use super::{
    allow::lower_allows,
    copy::{OF_SOURCES, lower_changes, lower_copied_to, lower_copy, named, refuse_beside_copy, refuse_of_sources},
    managed::{WORDS, lower_managed},
    number,
    relation::lower_relation,
    rollup::{self, lower_rollup},
};
use crate::{
    errors::Errors,
    model::{Bound, Defect, Field, Stored},
    parse::{Arguments, Literal, SerdeField, collection_literal, identifier, is_scalar, last_segment, names},
};

/// A stored field; `None` for one that serde skips.
pub(crate) fn lower_field(
    field: &syn::Field,
    serde: SerdeField,
    derive: &str,
    owner: &Ident,
    errors: &Errors,
) -> Option<Field> {
    let before = errors.count();
    let ident = field.ident.clone()?;
    if serde.skipped {
        let managed = field.attrs.iter().find(|attribute| WORDS.iter().any(|word| attribute.path().is_ident(word)));
        let of_copies = |attribute: &&Attribute| {
            ["denormalize"].iter().chain(&OF_SOURCES).chain(&rollup::WORDS).any(|word| attribute.path().is_ident(word))
        };
        let found = ours(&field.attrs).next().or(managed).or_else(|| field.attrs.iter().find(of_copies));
        if let Some(attribute) = found {
            errors.at(
                attribute.path(),
                format!("`{ident}` is not stored: serde skips it\nhelp: remove this attribute, or `#[serde(skip)]`"),
            );
        }
        return None;
    }
    let mut storage = match derive {
        "Projection" => Stored::Plain,
        _ => lower_storage(field, errors),
    };
    let rollup = if derive == "Model" { lower_rollup(field, &mut storage, errors) } else { None };
    if serde.custom && !matches!(storage, Stored::Opaque { .. }) {
        errors.at(
            &ident,
            format!("serde's `with` stores another type than `{ident}` has, so nothing is known of it\nhelp: add `#[opaque(max_bytes = N)]` with the most bytes it may take"),
        );
    }
    if derive == "Embed"
        && let Stored::Relation(relation) = &storage
        && !relation.storage.may_be_nested()
    {
        errors.at(
            &relation.storage_tokens,
            format!("`{}` is declared on a model, not inside an embedded struct\nhelp: move the field to the model that embeds this struct", relation.storage.word()),
        );
    }
    let managed = if derive == "Model" { lower_managed(field, &storage, errors) } else { None };
    let copy = if derive == "Projection" { None } else { lower_copy(field, errors) };
    if derive != "Projection" {
        refuse_beside_copy(field, derive == "Model" && serde.name == "_id", errors);
    }
    let (copied_to, changes) = match derive {
        "Model" if serde.name == "_id" => {
            refuse_of_sources(field, errors);
            (Vec::new(), None)
        }
        "Model" => (lower_copied_to(field, errors), lower_changes(field, errors)),
        _ => (Vec::new(), None),
    };
    Some(Field {
        rust_name: identifier(&ident),
        ident,
        visibility: field.vis.clone(),
        name: serde.name,
        ty: field.ty.clone(),
        default: serde.default,
        skippable: serde.skip_if,
        broken: errors.count() > before,
        defect: defect(&field.ty, &storage, owner, derive),
        storage,
        managed,
        copy,
        copied_to,
        rollup,
        changes,
    })
}

fn defect(ty: &Type, storage: &Stored, owner: &Ident, derive: &str) -> Option<Defect> {
    match storage {
        Stored::Opaque { .. } => None,
        Stored::Relation(relation) if relation.storage.refers() => {
            let item = match collection_literal(ty) {
                Some(Literal::Array(item) | Literal::Map(item)) => item,
                None => ty,
            };
            let (name, arguments) = last_segment(item)?;
            (arguments.is_empty() && is_scalar(&name)).then_some(Defect::BareReference)
        }
        _ => (derive == "Embed" && names(ty, owner)).then_some(Defect::EmbedsItself),
    }
}

fn ours(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes
        .iter()
        .filter(|attribute| ["relation", "bound", "opaque", "index"].iter().any(|name| attribute.path().is_ident(name)))
}

fn lower_storage(field: &syn::Field, errors: &Errors) -> Stored {
    let mut storage = Stored::Plain;
    for attribute in ours(&field.attrs).filter(|attribute| !attribute.path().is_ident("index")) {
        let arguments = Arguments::read(attribute, errors);
        if !matches!(storage, Stored::Plain) {
            errors.at_span(
                attribute.path().span(),
                "a field propagates one of `#[relation(..)]`, `#[bound(..)]` and `#[opaque(..)]`, once\nhelp: a relation has its own `max`; `#[bound(max = N)]` is for arrays of scalars",
            );
            continue;
        }
        let found = match arguments.attribute.as_str() {
            "relation" => lower_relation(&arguments, errors).map(Stored::Relation),
            "bound" => lower_bound(&arguments, errors),
            _ => lower_opaque(&arguments, errors),
        };
        storage = found.unwrap_or(match arguments.attribute.as_str() {
            "opaque" => Stored::Opaque { max_bytes: 1 },
            _ => Stored::Plain,
        });
    }
    storage
}

/// The attributes of the one field of a newtype.
pub(crate) fn lower_newtype_storage(field: &syn::Field, errors: &Errors) -> Stored {
    let storage = lower_storage(field, errors);
    if let Some(attribute) = named(field, "denormalize").next() {
        errors.at(
            attribute.path(),
            "a copy is a named field beside the reference to its source\nhelp: move it to the field that holds this type",
        );
    }
    if let Stored::Relation(relation) = &storage {
        errors.at(
            &relation.cardinality_tokens,
            "a relation is declared on a named field\nhelp: move it to the field that holds this type",
        );
        return Stored::Plain;
    }
    storage
}

fn lower_bound(arguments: &Arguments, errors: &Errors) -> Option<Stored> {
    arguments.expect_words(&["max", "max_len", "allow"], errors);
    let max = number(arguments.get("max"), errors);
    let max_len = number(arguments.get("max_len"), errors);
    if max.is_none() && max_len.is_none() {
        if errors.is_empty() {
            errors.at_span(
                arguments.span,
                "`#[bound(..)]` says no bound\nhelp: `max = N` bounds an array, a set or a map, `max_len = N` a string",
            );
        }
        return None;
    }
    Some(Stored::Bound(Bound { max, max_len, allows: lower_allows(&arguments.list, errors) }))
}

fn lower_opaque(arguments: &Arguments, errors: &Errors) -> Option<Stored> {
    arguments.expect_words(&["max_bytes"], errors);
    match number(arguments.get("max_bytes"), errors) {
        Some(max_bytes) => Some(Stored::Opaque { max_bytes: max_bytes.value }),
        None => {
            if errors.is_empty() {
                errors.at_span(arguments.span, "`#[opaque(..)]` says no bound\nhelp: write `#[opaque(max_bytes = N)]`");
            }
            None
        }
    }
}
