//! Rule: `unbounded_embedded_array`. The page is `guide/pages/rules/unbounded_embedded_array.md`.

use quote::ToTokens;
use syn::Type;

use crate::{
    errors::Errors,
    model::{Field, Misfit, Record, Stored},
    parse::{Literal, collection_literal, is_scalar, last_segment, ungroup},
};

const ID: &str = "unbounded_embedded_array";

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged().filter(|field| field.name != "_id" && field.stored_as.is_none()) {
        let Some(literal) = collection_literal(&field.ty) else { continue };
        // An array in the place of a single reference has no elements to bound.
        if matches!(field.storage, Stored::Opaque { .. }) || field.misfit() == Some(Misfit::List) {
            continue;
        }
        if field.max().is_none() {
            report_field(field, &literal, errors);
        } else {
            let (Literal::Array(item) | Literal::Map(item)) = literal;
            report_inner(field, item, errors);
        }
    }
}

fn report_field(field: &Field, literal: &Literal<'_>, errors: &Errors) {
    // A line to type has the name as written: `r#type`.
    let (name, ident) = (&field.rust_name, &field.ident);
    let ty = text(&field.ty);
    let (kind, item) = match literal {
        Literal::Array(item) => ("an array", *item),
        Literal::Map(item) => ("a map", *item),
    };
    let what = format!(
        "`{name}` is {kind} without a bound, and a document with `{name}` can grow past MongoDB's limit of 16 MiB"
    );
    let help = match &field.storage {
        Stored::Relation(relation) => {
            let (cardinality, storage) = (relation.cardinality.word(), relation.storage.word());
            let max = relation.storage.example_max();
            format!("write `#[relation({cardinality}, {storage}, max = {max})]` with the largest number of items")
        }
        Stored::Bound(_) => {
            format!("add `max_items = 100` with the largest number of items to this `#[bound(..)]`, for `{ty}`")
        }
        Stored::Plain | Stored::Opaque { .. } | Stored::Subset { .. } | Stored::History(_) => match element(item) {
            Element::Array(inner) => {
                format!(
                    "write `#[bound(max_items = 100)] {ident}: Vec<BoundedVec<{inner}, 10>>`: the type of each inner array has the bound"
                )
            }
            Element::Reference => format!(
                "write `#[relation(one_to_many, child_refs, max = 1_000)] {ident}: {ty}`, or store the reference on the far side with `parent_ref`"
            ),
            Element::Scalar => {
                format!("write `#[bound(max_items = 100)] {ident}: {ty}` with the largest number of items")
            }
            Element::Struct(inner) => format!(
                "write `#[relation(one_to_few, embed, max = 20)] {ident}: {ty}` with the largest number of items, or give `{inner}` a separate collection, with `#[relation(one_to_squillions, parent_ref)]` in each `{inner}`"
            ),
        },
    };
    errors.rule(&field.ty, ID, &what, &help);
}

fn report_inner(field: &Field, item: &Type, errors: &Errors) {
    let (kind, help) = match collection_literal(item) {
        Some(Literal::Array(inner)) => (
            "arrays",
            format!(
                "store each inner array in a `BoundedVec<{}, N>` with the largest number of items as `N`",
                text(inner)
            ),
        ),
        Some(Literal::Map(_)) => (
            "maps",
            format!(
                "store each inner map in a struct: `#[derive(Embed)] struct Counts {{ #[bound(max_items = 20)] counts: {} }}`",
                text(item)
            ),
        ),
        None => return,
    };
    errors.rule(item, ID, &format!("the {kind} inside of `{}` have no bound", field.rust_name), &help);
}

enum Element {
    Scalar,
    Reference,
    Array(String),
    Struct(String),
}

fn element(item: &Type) -> Element {
    if let Some(Literal::Array(inner) | Literal::Map(inner)) = collection_literal(item) {
        return Element::Array(text(inner));
    }
    match last_segment(item) {
        Some((name, arguments)) => match (name.as_str(), arguments.as_slice()) {
            ("Ref", _) => Element::Reference,
            ("Option" | "Box", [inner]) => element(inner),
            ("BoundedVec", _) => Element::Scalar,
            _ if is_scalar(&name) => Element::Scalar,
            _ => Element::Struct(text(item)),
        },
        None => Element::Scalar,
    }
}

/// Returns a type as text, as in code by hand.
fn text(ty: &Type) -> String {
    ungroup(ty)
        .to_token_stream()
        .to_string()
        .replace(" < ", "<")
        .replace(" >", ">")
        .replace("< ", "<")
        .replace(" :: ", "::")
        .replace(" , ", ", ")
        .replace("[ ", "[")
        .replace(" ]", "]")
}
