//! Reads a field and the attributes of the field.

use proc_macro2::Ident;
use syn::Type;

use super::{
    allow::lower_allows,
    check::lower_checks,
    copy::{lower_changes, lower_copied_to, lower_copy},
    document_rule::lower_required_if,
    given::Given,
    hidden::{lower_hidden, refuse_references},
    history::lower_history,
    json::lower_json,
    lost,
    managed::lower_managed,
    new_value::lower_fill,
    number,
    relation::lower_relation,
    rollup::lower_rollup,
    slug::lower_slug,
    stored_as::lower_stored_as,
    tree::lower_tree,
};
use crate::{
    attributes::{Attribute, Place},
    errors::Errors,
    model::{Bound, CopiedTo, Defect, Field, Stored},
    parse::{
        Arguments, Literal, SerdeField, collection_literal, identifier, is_scalar, last_segment, names, similar,
        unfit_key,
    },
};

/// Reads a stored field of the struct `owner`; `None` for a field that serde skips.
pub(crate) fn lower_field(
    field: &syn::Field,
    serde: SerdeField,
    place: Place,
    owner: &Ident,
    errors: &Errors,
) -> Option<Field> {
    let before = errors.count();
    let ident = field.ident.clone()?;
    let rust_name = identifier(&ident);
    let place = if place == Place::ModelField && serde.name == "_id" { Place::Id } else { place };
    let given = Given::read(&field.attrs, place, Some(&rust_name), errors);
    if given.get(Attribute::Extra).is_some() {
        return None;
    }
    if serde.skipped {
        if let Some(attribute) = given.first().filter(|_| errors.count() == before) {
            errors.at(
                attribute.path(),
                format!(
                    "`{ident}` is not stored: serde skips the field\nhelp: remove this attribute, or `#[serde(skip)]`"
                ),
            );
        }
        return None;
    }
    let (hidden, ty) = lower_hidden(&given, &field.ty, serde.default_is_own);
    let mut storage = lower_storage(&given, errors);
    let rollup = lower_rollup(&given, &mut storage, errors);
    let slug = lower_slug(&given, &mut storage, errors);
    let tree = lower_tree(&given, &mut storage, errors);
    let stored_as = lower_stored_as(&given, field, &serde, (&mut storage, place), errors);
    refuse_keys(&ty, serde.custom || stored_as.is_some(), &mut storage, errors);
    let is_declared = given.get(Attribute::StoredAs).is_some();
    refuse_with(&ident, &ty, &serde, (&mut storage, place, is_declared), errors);
    refuse_nested(&storage, place, errors);
    refuse_references(&ident, hidden.as_ref().filter(|_| tree.is_none()), &mut storage, errors);
    let managed = lower_managed(&given);
    let unversioned = given.get(Attribute::Unversioned).map(|attribute| attribute.path().clone());
    let immutable = given.get(Attribute::Immutable).map(|attribute| attribute.path().clone());
    let copy = lower_copy(&given, &ty, errors);
    let copied_to = lower_copied_to(&given, errors);
    refuse_copied_mirror(&storage, &copied_to, errors);
    let changes = lower_changes(&given, copy.as_ref(), errors);
    let json = lower_json(&given, errors);
    let fill = lower_fill(&given, errors);
    let checks = lower_checks(&given, &ty, &storage, errors);
    let required_if = checks.required_if.and_then(|word| lower_required_if(&word, &rust_name, place, errors));
    let may_dangle = lower_reference(&given, &ty, &storage, errors);
    Some(Field {
        rust_name,
        lost: lost::of_field(&given, &ident),
        ident,
        visibility: field.vis.clone(),
        name: serde.name,
        default: serde.default,
        encoder: serde.encoder,
        decoder: serde.decoder,
        skippable: serde.skip_if,
        misspelt: field.attrs.iter().any(|attribute| is_misspelt(attribute.path())),
        broken: serde.broken || errors.count() > before,
        defect: defect(stored_as.as_ref().map_or(&ty, |declared| &declared.ty), &storage, owner, place),
        ty,
        stored_as,
        storage,
        managed,
        unversioned,
        copy,
        copied_to,
        rollup,
        slug,
        tree,
        fill,
        changes,
        json,
        checks: checks.rules,
        hidden,
        required_if,
        immutable,
        may_dangle,
    })
}

/// Returns whether the attribute is a misspelt `relation` or `denormalize`. Checks of related structs know a field by
/// the two attributes.
fn is_misspelt(path: &syn::Path) -> bool {
    let known = [Attribute::Relation.word(), Attribute::Denormalize.word()];
    let name = path.get_ident().filter(|_| Attribute::of(path).is_none());
    name.is_some_and(|name| similar(&name.to_string(), &known).is_some())
}

/// Reads `#[reference(may_dangle)]`: the reference may refer to a missing document. The attribute is a mistake on a
/// relation that stores no reference, or that stores the reference in the elements.
fn lower_reference(given: &Given<'_>, ty: &Type, storage: &Stored, errors: &Errors) -> Option<syn::Expr> {
    let mut arguments = Arguments::read(given.get(Attribute::Reference)?, errors);
    arguments.expect_words(&Attribute::Reference.words(), errors);
    let Some(tokens) = arguments.get("may_dangle").map(|argument| argument.tokens.clone()) else {
        if errors.is_empty() {
            errors.at_span(
                arguments.span,
                "`#[reference(..)]` needs the word `may_dangle`\nhelp: write `#[reference(may_dangle)]`, or remove `#[reference(..)]`",
            );
        }
        return None;
    };
    let Stored::Relation(relation) = storage else {
        if is_bare(ty) {
            errors.at(
                &tokens,
                "only a reference may dangle, and this field is not a reference\nhelp: write the type `Ref<T>`, stored as the bare `_id` of a `T`; or remove `#[reference(may_dangle)]`",
            );
            return None;
        }
        return Some(tokens);
    };
    let message = match &relation.by {
        Some(by) => format!(
            "the reference is `{by}`, in the elements\nhelp: put `#[reference(may_dangle)]` on `{by}` in the embedded struct"
        ),
        None if relation.storage.is_mirrored() => {
            "both ends of a `two_way` are written together, and a link to a missing document is refused\nhelp: remove `#[reference(may_dangle)]`; or store the relation at one end, as a `parent_ref` or `child_refs`".to_owned()
        }
        None if relation.storage.refers() => return Some(tokens),
        None => {
            format!(
                "only a reference may dangle, and `{}` stores no reference\nhelp: remove `#[reference(may_dangle)]`",
                relation.storage.word()
            )
        }
    };
    errors.at(&tokens, message);
    None
}

/// Refuses a map with keys that are no strings: a key of a map is the name of a stored field.
fn refuse_keys(ty: &Type, is_converted: bool, storage: &mut Stored, errors: &Errors) {
    let is_known = !is_converted && !matches!(storage, Stored::Opaque { .. });
    if let Some(key) = unfit_key(ty).filter(|_| is_known) {
        errors.at(
            key,
            "a map is stored as a document with a field for each key, and the name of a field is a `String`\nhelp: write `String` here; or store a list of structs with `#[derive(Embed)]`, each with the key in a field: `#[relation(one_to_few, embed, max = 20)] counts: Vec<Count>`",
        );
        *storage = Stored::Opaque { max_bytes: 0, converted: false };
    }
}

/// Checks a field that serde writes or reads by a function of the user. Only the most bytes of the value are known.
fn refuse_with(
    ident: &Ident,
    ty: &Type,
    serde: &SerdeField,
    (storage, place, is_declared): (&mut Stored, Place, bool),
    errors: &Errors,
) {
    if let Stored::Opaque { converted, .. } = storage {
        *converted = serde.custom;
    }
    let is_opaque = matches!(storage, Stored::Opaque { .. });
    if serde.default_is_own && last_segment(ty).is_some_and(|(name, _)| name == "Option") {
        errors.at(
            ident,
            format!("an absent `{ident}` reads as the value of `default`, and null reads as `None`; filters and updates treat both as `None`\nhelp: write `#[serde(default)]` on the field, and give older documents the value with an update"),
        );
    }
    if !serde.custom || is_declared {
        return;
    }
    if serde.name == "_id" && matches!(place, Place::Id | Place::ModelVariantField) {
        errors.at(
            ident,
            "serde's `with` stores the `_id` as another type, and the `_id` then finds no document: reads, relations and writes name a document by the `_id` alone\nhelp: remove `with`; or store the `_id` in a newtype with `#[derive(Embed)]` and `#[stored_as(String)]`, and write the stored type in the `Serialize` of the newtype",
        );
    } else if place == Place::ProjectionField {
        *storage = Stored::Opaque { max_bytes: 0, converted: true };
    } else if !is_opaque {
        errors.at(
            ident,
            format!("serde's `with` stores `{ident}` as another type, and the derive does not know the stored type\nhelp: add `#[stored_as(String)]` with the type that `with` writes; or, for an array or a document, `#[opaque(max_bytes = N)]` with the most bytes that the value takes as BSON"),
        );
    }
}

/// Refuses a relation that only a model may store.
fn refuse_nested(storage: &Stored, place: Place, errors: &Errors) {
    if let Stored::Relation(relation) = storage
        && place.is_inside()
        && !relation.storage.may_be_nested()
    {
        let (what, help) = match place {
            Place::EmbedField => ("inside an embedded struct", "move the field to the model that embeds this struct"),
            _ => (
                "in a variant",
                "store a plain `Ref<..>` here, without a relation; or move the field to a model that is a struct",
            ),
        };
        errors.at(
            &relation.storage_tokens,
            format!("`{}` is declared on a model, not {what}\nhelp: {help}", relation.storage.word()),
        );
    }
}

/// Refuses copies of a mirror. The writes of the far side write the mirror, and propagate no copies.
fn refuse_copied_mirror(storage: &Stored, copied_to: &[CopiedTo], errors: &Errors) {
    if let (Stored::Relation(relation), Some(copied)) = (storage, copied_to.first())
        && relation.is_mirror()
    {
        errors.at(
            &copied.tokens,
            "the writes of the mirrored relation write the mirror, and update no copies of the mirror\nhelp: remove `#[copied_to(..)]`",
        );
    }
}

/// Returns whether the type is a scalar, or a collection of scalars, and so no reference.
fn is_bare(ty: &Type) -> bool {
    let item = match collection_literal(ty) {
        Some(Literal::Array(item) | Literal::Map(item)) => item,
        None => ty,
    };
    last_segment(item).is_some_and(|(name, arguments)| arguments.is_empty() && is_scalar(&name))
}

fn defect(ty: &Type, storage: &Stored, owner: &Ident, place: Place) -> Option<Defect> {
    match storage {
        Stored::Opaque { .. } => None,
        Stored::Relation(relation) if relation.storage.refers() => is_bare(ty).then_some(Defect::BareReference),
        _ => (place.is_inside() && names(ty, owner)).then_some(Defect::EmbedsItself),
    }
}

/// Reads how a field or the value of a newtype is stored, as far as the attributes say. No two storage attributes stand
/// on the same field.
pub(super) fn lower_storage(given: &Given<'_>, errors: &Errors) -> Stored {
    if let Some(attribute) = given.get(Attribute::Relation) {
        lower_relation(Arguments::read(attribute, errors), errors).map_or(Stored::Plain, Stored::Relation)
    } else if let Some(attribute) = given.get(Attribute::Bound) {
        lower_bound(Arguments::read(attribute, errors), errors).unwrap_or(Stored::Plain)
    } else if let Some(attribute) = given.get(Attribute::History) {
        lower_history(attribute, errors).unwrap_or(Stored::Plain)
    } else if let Some(attribute) = given.get(Attribute::Opaque) {
        let max_bytes = lower_opaque(Arguments::read(attribute, errors), errors).unwrap_or(1);
        Stored::Opaque { max_bytes, converted: false }
    } else {
        Stored::Plain
    }
}

fn lower_bound(mut arguments: Arguments, errors: &Errors) -> Option<Stored> {
    arguments.expect_words(&Attribute::Bound.words(), errors);
    let max = number(arguments.get("max_items"));
    let max_len = number(arguments.get("max_len"));
    let max_bytes = number(arguments.get("max_bytes"));
    if let (Some(_), Some(second)) = (&max_len, &max_bytes) {
        errors.at(
            &second.tokens,
            "`max_len` bounds a string, and `max_bytes` a value of any form: no field is both\nhelp: remove `max_len` or `max_bytes`",
        );
        return None;
    }
    if max.is_none() && max_len.is_none() && max_bytes.is_none() {
        if errors.is_empty() {
            errors.at_span(
                arguments.span,
                "`#[bound(..)]` needs a bound\nhelp: write `max_items = N` for an array, a set or a map, `max_len = N` for a string, `max_bytes = N` for a `Bson` or a `Document`",
            );
        }
        return None;
    }
    Some(Stored::Bound(Bound {
        max,
        max_len,
        max_bytes,
        allows: lower_allows(&arguments.list, Attribute::Bound, errors),
    }))
}

fn lower_opaque(mut arguments: Arguments, errors: &Errors) -> Option<u64> {
    arguments.expect_words(&Attribute::Opaque.words(), errors);
    match number(arguments.get("max_bytes")) {
        Some(max_bytes) => Some(max_bytes.value),
        None => {
            if errors.is_empty() {
                errors.at_span(arguments.span, "`#[opaque(..)]` needs a bound\nhelp: write `#[opaque(max_bytes = N)]` with the most bytes that the value takes as BSON");
            }
            None
        }
    }
}
