//! An enum that holds data. Each variant is read as a struct with the fields of the variant.

use proc_macro2::Ident;
use quote::{ToTokens, format_ident};
use syn::{DataEnum, DeriveInput, Fields, Visibility};

use super::{field::lower_field, given::Given, index};
use crate::{
    attributes::{Attribute, Place},
    errors::Errors,
    model::{Data, Field, Index, Record, Tagged, Variant},
    parse::{SerdeEnum, SerdeField, SerdeTag, SerdeVariant},
};

/// The places of the attributes of variants, and of the attributes of fields in variants.
#[derive(Clone, Copy)]
pub(super) struct Places {
    pub(super) variant: Place,
    pub(super) field: Place,
}

const IN_MODEL: Places = Places { variant: Place::ModelVariant, field: Place::ModelVariantField };

/// Reads a model that is an enum: the fields that all variants share, and the enum.
pub(super) fn lower_model(
    input: &DeriveInput,
    data: &DataEnum,
    given: &Given<'_>,
    errors: &Errors,
) -> Option<(Record, Tagged)> {
    let Some(serde) = SerdeEnum::read(input, errors) else {
        if errors.is_empty() {
            errors.at(&input.ident, "serde refuses this enum's attributes");
        }
        return None;
    };
    let whole_document = match &serde.tag {
        SerdeTag::Names => Some(
            "an enum of names alone is stored as a string, and a document has fields\nhelp: derive `Embed`, or write `#[serde(tag = \"type\")]` and fields in each variant",
        ),
        SerdeTag::Field { content: Some(_), .. } => Some(
            "`content` puts the fields of each variant a level deeper, and the `_id` is at the top of a document\nhelp: remove `content`: the fields are then stored beside the tag",
        ),
        SerdeTag::Field { content: None, .. } => None,
    };
    if let Some(message) = whole_document {
        errors.at(&input.ident, message);
        return None;
    }
    if let Some(attribute) = given.get(Attribute::ShardKey) {
        errors.at(
            attribute.path(),
            "the shard key of a model of several shapes is not judged yet\nhelp: shard the collection by hand, with `sh.shardCollection`; or derive `Model` on a struct that holds the enum in a field",
        );
    }
    let before = errors.count();
    for (variant, _) in data.variants.iter().zip(&serde.variants).filter(|(_, serde)| !serde.skipped) {
        if !matches!(variant.fields, Fields::Named(_)) {
            errors.at(
                variant,
                "each variant of a model has an `_id` field, and this variant has no fields with names\nhelp: write the fields of the variant in the enum: `Name { #[serde(rename = \"_id\")] id: ObjectId, .. }`",
            );
        }
    }
    if errors.count() > before {
        return None;
    }
    let (tagged, mut record) = lower_tagged(input, data, serde, IN_MODEL, errors)?;
    // A relation that only a struct may store is a mistake, and is reported at the relation.
    record.fields.retain(|field| field.relation().is_none_or(|relation| relation.storage.may_be_nested()));
    Some((record, tagged))
}

/// Reads the indexes that the variants declare.
pub(super) fn lower_indexes(data: &DataEnum, tagged: &Tagged, errors: &Errors) -> Vec<Index> {
    let written = |variant: &Variant| data.variants.iter().find(|written| written.ident == variant.ident);
    let each = tagged.variants.iter().filter_map(|variant| match &variant.data {
        Data::Fields(record) => Some(index::lower_of_variant(written(variant)?, variant, &tagged.tag, record, errors)),
        Data::Nothing | Data::Struct(_) => None,
    });
    each.flatten().collect()
}

/// Reads the enum, and the shared fields of all variants as a struct with the name of the enum; `None` after a mistake
/// that leaves nothing to go on with.
pub(super) fn lower_tagged(
    input: &DeriveInput,
    data: &DataEnum,
    serde: SerdeEnum,
    places: Places,
    errors: &Errors,
) -> Option<(Tagged, Record)> {
    let SerdeTag::Field { tag, content } = serde.tag else { return None };
    if let Some(parameter) = input.generics.params.first() {
        errors.at(
            parameter,
            "an enum that holds data cannot have parameters\nhelp: write a type in the place of this parameter, or put the generic struct into a separate variant",
        );
        return None;
    }
    let stored: Vec<_> = data.variants.iter().zip(serde.variants).filter(|(_, serde)| !serde.skipped).collect();
    if stored.is_empty() {
        errors.at(&input.ident, "no variant of this enum is stored\nhelp: remove `#[serde(skip)]` from a variant");
        return None;
    }
    let shared = record(&input.ident, "Shared", &input.vis, Vec::new(), serde.strict);
    let mut tagged = Tagged {
        ident: input.ident.clone(),
        visibility: input.vis.clone(),
        tag,
        content,
        shared,
        variants: Vec::new(),
        has_skipped: stored.len() < data.variants.len(),
    };
    let shared = shared_by_all(&stored);
    let mut whole = record(&input.ident, "", &input.vis, Vec::new(), tagged.shared.strict);
    for (variant, serde) in stored {
        Given::read(&variant.attrs, places.variant, None, errors);
        if tagged.variants.is_empty() {
            tagged.shared.fields = lower_shared(variant, &serde, &shared, places.field, input);
            whole.fields = lower_shared(variant, &serde, &shared, places.field, input);
        }
        let data = match &variant.fields {
            Fields::Unit => Data::Nothing,
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let Some(inner) = fields.unnamed.first() else { continue };
                Given::read(&inner.attrs, Place::VariantValue, None, errors);
                if serde.fields.iter().any(|field| field.custom) {
                    errors.at(
                        &inner.ty,
                        "serde's `with` stores the struct of this variant as another type, and the derive does not know the stored type\nhelp: remove `with`; or write the fields of the struct in the variant, with `with` and `#[opaque(max_bytes = N)]` on a field",
                    );
                }
                Data::Struct(Box::new(inner.ty.clone()))
            }
            Fields::Unnamed(_) => {
                errors.at(
                    variant,
                    "the values of this variant have no names, and the fields of a stored document have names\nhelp: write the values as fields: `Name { first: .., second: .. }`",
                );
                continue;
            }
            Fields::Named(fields) => {
                let skipped = super::skipped_fields(fields, &serde.fields);
                let lowered = fields
                    .named
                    .iter()
                    .zip(serde.fields)
                    .filter_map(|(field, serde)| lower_field(field, serde, places.field, &input.ident, errors));
                let text = format!("{}Variant", variant.ident);
                let mut record = record(&input.ident, &text, &input.vis, lowered.collect(), tagged.shared.strict);
                record.skipped = skipped;
                // The fields of a variant are as public as the enum.
                record.fields.iter_mut().for_each(|field| field.visibility = input.vis.clone());
                Data::Fields(record)
            }
        };
        tagged.variants.push(Variant { ident: variant.ident.clone(), name: serde.name, data });
    }
    Some((tagged, whole))
}

/// Makes a struct with the given fields, for a part of the enum.
fn record(owner: &Ident, part: &str, visibility: &Visibility, fields: Vec<Field>, strict: bool) -> Record {
    // The parts have names that no type of the user has.
    let ident = match part {
        "" => owner.clone(),
        part => format_ident!("__{}{}", owner, part, span = owner.span()),
    };
    let (item, visibility, generics) = (owner.clone(), visibility.clone(), syn::Generics::default());
    Record {
        ident,
        item,
        visibility,
        generics,
        fields,
        flats: Vec::new(),
        skipped: Vec::new(),
        extra: Vec::new(),
        strict,
    }
}

/// The parts of a written field that decide how the field is stored.
type Written = (String, String, [bool; 5], Vec<String>);

fn written(field: &syn::Field, serde: &SerdeField) -> Option<Written> {
    let ident = field.ident.as_ref()?;
    let attributes = field.attrs.iter().filter(|attribute| Attribute::of(attribute.path()).is_some());
    // An index and the name in JSON do not change the stored field.
    let is_of_storage = |attribute: &&syn::Attribute| {
        !matches!(Attribute::of(attribute.path()), Some(Attribute::Index | Attribute::Json))
    };
    let attributes = attributes.filter(is_of_storage);
    Some((
        ident.to_string() + " " + &serde.name,
        field.ty.to_token_stream().to_string(),
        [serde.skipped, serde.default, serde.skip_if, serde.custom, serde.default_is_own],
        attributes
            .map(|attribute| attribute.meta.to_token_stream().to_string())
            .chain([&serde.encoder, &serde.decoder].map(|function| function.to_token_stream().to_string()))
            .collect(),
    ))
}

/// Returns the fields that all variants write in the same way.
fn shared_by_all(variants: &[(&syn::Variant, SerdeVariant)]) -> Vec<Written> {
    let of = |(variant, serde): &(&syn::Variant, SerdeVariant)| -> Vec<Written> {
        variant.fields.iter().zip(&serde.fields).filter_map(|(field, serde)| written(field, serde)).collect()
    };
    let mut each = variants.iter().map(of);
    let mut shared = each.next().unwrap_or_default();
    for other in each {
        shared.retain(|field| other.contains(field));
    }
    shared
}

/// Reads the shared fields once more, without messages: the mistakes are reported at the field of each variant.
fn lower_shared(
    variant: &syn::Variant,
    serde: &SerdeVariant,
    shared: &[Written],
    place: Place,
    input: &DeriveInput,
) -> Vec<Field> {
    let silent = Errors::new();
    let fields = variant.fields.iter().zip(&serde.fields);
    let is_shared = |(field, serde): &(&syn::Field, &SerdeField)| {
        written(field, serde).is_some_and(|written| shared.contains(&written))
    };
    let lowered = fields.filter(is_shared).filter_map(|(field, serde)| {
        let mut field = lower_field(field, serde.clone(), place, &input.ident, &silent)?;
        field.visibility = input.vis.clone();
        Some(field)
    });
    let lowered = lowered.collect();
    drop(silent.finish());
    lowered
}
