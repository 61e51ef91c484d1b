//! From attributes as written to the model: defaults and meanings live here.

mod aggregate;
mod allow;
mod bucket;
mod check;
mod choice;
mod collation;
mod collection;
mod collection_kind;
mod copy;
mod document_rule;
mod extra;
mod facets;
mod field;
mod flat;
mod given;
mod hidden;
mod history;
mod index;
mod inverse;
mod json;
mod known;
mod lost;
mod managed;
mod misplaced;
mod new_value;
mod order;
mod patch;
mod query;
mod relation;
mod rollup;
mod search_index;
mod shard_key;
mod slug;
mod stored_as;
mod tagged;
mod tree;

use syn::{Data, DeriveInput, Fields, FieldsNamed, GenericParam, Ident, Meta, Path, Token, punctuated::Punctuated};

pub(crate) use aggregate::lower_aggregate;
#[cfg(test)]
pub(crate) use aggregate::words_of_values;
pub(crate) use facets::lower_facets;
#[cfg(test)]
pub(crate) use facets::words_of_facets;
use given::Given;
pub(crate) use lost::of_item as lost_of_item;
pub(crate) use patch::lower_patch;

use crate::{
    attributes::{Attribute, Place},
    errors::Errors,
    model::{Embed, Field, Flat, Index, Model, Number, Origin, Projection, Record, Stored},
    parse::{Argument, Arguments, SerdeEnum, SerdeField, SerdeStruct, SerdeTag, is_borrowed, marked},
};

/// Reads a model; `None` after a mistake that leaves nothing to go on with.
pub(crate) fn lower_model(input: &DeriveInput, errors: &Errors) -> Option<Model> {
    let given = Given::read(&input.attrs, Place::Model, None, errors);
    if marked(input, "projection").is_some() && marked(input, "model").is_none() {
        return None;
    }
    let (mut record, tagged) = match &input.data {
        Data::Enum(data) => {
            let (record, tagged) = tagged::lower_model(input, data, &given, errors)?;
            (record, Some(tagged))
        }
        _ => (lower_record(input, "Model", Place::ModelField, errors)?, None),
    };
    let settings = collection::lower_settings(input, &given, errors);
    new_value::name_sequences(&mut record, &settings.collection);
    let mut lost = lost::of_tree(input);
    let mut inverses = inverse::lower_inverses(&given, &mut lost, errors);
    tree::complete(&mut record, &mut inverses, settings.writes.updates());
    let collation = settings.options.collation.as_ref();
    let mut indexes = index::lower_declared(input, &given, &record, errors);
    if let (Data::Enum(data), Some(tagged)) = (&input.data, &tagged) {
        indexes.extend(tagged::lower_indexes(data, tagged, errors));
    }
    // The indexes of buckets are over different fields.
    if settings.bucket.is_none() {
        indexes.extend(index::needed_by_relations(&record));
    }
    indexes.extend(slug::needed_indexes(&record));
    indexes.extend(tree::needed_indexes(&record));
    let shard_key = shard_key::lower_shard_key(&given, &record, errors);
    indexes.extend(shard_key.as_ref().and_then(|key| shard_key::needed_index(key, &record)));
    lost.extend(given.get(Attribute::ShardKey).map(lost::of_shard_key));
    let mut queries = query::lower_queries(&given, &record, tagged.as_ref(), &mut lost, errors);
    indexes.iter_mut().for_each(|index| collation::inherit_index(index, collation));
    queries.iter_mut().for_each(|query| collation::inherit(&mut query.collation, collation));
    // The runtime knows the comparison of the references, and leaves out an index that a relation brings too.
    let serves = |index: &&Index| collation.is_none() || !matches!(index.origin, Origin::Relation(_));
    let serving: Vec<&Index> = indexes.iter().filter(serves).collect();
    let needed = query::needed_by_queries(&queries, &record, &serving);
    indexes.extend(needed);
    let search_indexes = search_index::lower_search_indexes(&given, errors);
    let (document_rules, judges) = document_rule::lower_document_rules(settings.check.as_ref(), errors);
    let new = new_value::lower_new(input, settings.new.as_ref(), &record, errors);
    Some(Model {
        record,
        tagged,
        collection: settings.collection,
        level: settings.level,
        action: settings.action,
        indexes,
        search_indexes,
        shard_key,
        inverses,
        queries,
        lost,
        has_lost_tree: false,
        document_rules,
        judges,
        writes: settings.writes,
        options: settings.options,
        unknown_fields: settings.unknown_fields,
        bucket: settings.bucket,
        new,
        allows: settings.allows,
    })
}

const IN_EMBED: tagged::Places = tagged::Places { variant: Place::Variant, field: Place::VariantField };

/// Reads a type that is stored inside a model; `None` after a mistake that leaves nothing to go on with.
pub(crate) fn lower_embed(input: &DeriveInput, errors: &Errors) -> Option<Embed> {
    let given = Given::read(&input.attrs, place_of_embed(input), None, errors);
    if marked(input, "model").or(marked(input, "projection")).is_some() {
        return None;
    }
    if let Some(attribute) = given.get(Attribute::Embed) {
        let mut arguments = Arguments::read(attribute, errors);
        arguments.expect_words(&Attribute::Embed.words(), errors);
        if let (Some(flat), true) = (arguments.get("flat"), errors.is_empty()) {
            errors.at(
                &flat.tokens,
                "`flat` is about one field that holds this type\nhelp: write `#[embed(flat)] #[serde(flatten)]` above the field",
            );
        }
    }
    if given.get(Attribute::StoredAs).is_some() {
        return stored_as::lower_item(input, &given, errors);
    }
    match &input.data {
        Data::Enum(data) => {
            let Some(serde) = SerdeEnum::read(input, errors) else {
                if errors.is_empty() {
                    errors.at(&input.ident, "serde refuses this enum's attributes");
                }
                return None;
            };
            if matches!(serde.tag, SerdeTag::Field { .. }) {
                return tagged::lower_tagged(input, data, serde, IN_EMBED, errors)
                    .map(|(tagged, _)| Embed::Tagged(tagged));
            }
            for variant in &data.variants {
                Given::read(&variant.attrs, Place::Variant, None, errors);
            }
            refuse_number(input, errors);
            let variants = data.variants.iter().zip(serde.variants).filter(|(_, serde)| !serde.skipped);
            let variants = variants.map(|(variant, serde)| (variant.ident.clone(), serde.name)).collect();
            Some(Embed::Enum { ident: input.ident.clone(), variants })
        }
        Data::Struct(data) => match &data.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let inner = fields.unnamed.first()?;
                let SerdeStruct { fields: serde, .. } = SerdeStruct::read(input, errors);
                let given = Given::read(&inner.attrs, Place::NewtypeField, None, errors);
                let storage = field::lower_storage(&given, errors);
                if serde.first().is_some_and(|field| field.custom) && !matches!(storage, Stored::Opaque { .. }) {
                    errors.at(
                        &inner.ty,
                        format!("serde's `with` stores this value as another type, and the derive does not know the stored type\nhelp: write `#[stored_as(String)]` above `{0}`, with the type that `with` writes; or add `#[opaque(max_bytes = N)]` with the most bytes that the value takes as BSON: `struct {0}(#[opaque(max_bytes = 40)] #[serde(with = \"..\")] {1});`", input.ident, quote::ToTokens::to_token_stream(&inner.ty)),
                    );
                }
                let checks = check::lower_checks(&given, &inner.ty, &storage, errors);
                if let Some(word) = &checks.required_if {
                    document_rule::lower_required_if(word, "", Place::NewtypeField, errors);
                }
                Some(Embed::Newtype {
                    ident: input.ident.clone(),
                    generics: input.generics.clone(),
                    ty: Box::new(inner.ty.clone()),
                    storage,
                    checks: checks.rules,
                })
            }
            _ => lower_record(input, "Embed", Place::EmbedField, errors).map(Embed::Struct),
        },
        Data::Union(_) => {
            errors.at(&input.ident, "a union cannot be stored");
            None
        }
    }
}

/// Refuses an enum with an integer `repr`: a `Serialize` of another derive most often stores the enum as the integer.
fn refuse_number(input: &DeriveInput, errors: &Errors) {
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        let Ok(words) = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else { continue };
        let integer = words.iter().find(|word| {
            let text = word.path().get_ident().map(ToString::to_string).unwrap_or_default();
            matches!(text.as_str(), "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize")
        });
        if let Some(integer) = integer {
            errors.at(
                integer,
                "an enum with a `repr` of an integer is stored as a number by `serde_repr`, and this derive describes the names of the variants\nhelp: to store the numbers, write `#[stored_as(i32)]` above the enum; to store the names, remove `repr` and derive serde's `Serialize` and `Deserialize`",
            );
        }
    }
}

/// Returns the place of the attributes on an item with `#[derive(Embed)]`.
fn place_of_embed(input: &DeriveInput) -> Place {
    match &input.data {
        Data::Enum(_) => Place::Enum,
        Data::Struct(data) if matches!(data.fields, Fields::Unnamed(_)) => Place::Newtype,
        Data::Struct(_) | Data::Union(_) => Place::Embed,
    }
}

/// Reads a partial view of a model.
pub(crate) fn lower_projection(input: &DeriveInput, errors: &Errors) -> Option<Projection> {
    if let (Some(_), Some(second)) = (marked(input, "model"), marked(input, "projection")) {
        // The message is the message of `Model`, since `Model` may be derived too: rustc reports the same mistake at
        // the same place once.
        errors.at(second.path(), misplaced::misplaced(Attribute::Projection, Place::Model, None));
        return None;
    }
    let given = Given::read(&input.attrs, Place::Projection, None, errors);
    let mut parameters = input.generics.params.iter();
    if let Some(parameter) = parameters.find(|parameter| !matches!(parameter, GenericParam::Lifetime(_))) {
        let help = "write a projection for each type";
        errors.at(
            parameter,
            format!(
                "`{}` has a parameter, and a projection reads the fields of a single model\nhelp: {help}",
                input.ident
            ),
        );
        return None;
    }
    let record = lower_record(input, "Projection", Place::ProjectionField, errors)?;
    if record.strict {
        errors.at(
            &input.ident,
            "the server also sends the `_id` and the fields that a sort or a relation needs, and serde's `deny_unknown_fields` refuses fields that are not in the projection\nhelp: remove `deny_unknown_fields`: serde then leaves out the fields that are not in the projection",
        );
    }
    let example = "write `#[projection(of = Part)]` with the model of the projection";
    let Some(attribute) = given.get(Attribute::Projection) else {
        errors.at(&input.ident, format!("this projection does not name a model\nhelp: {example}"));
        return None;
    };
    let mut arguments = Arguments::read(attribute, errors);
    arguments.expect_words(&Attribute::Projection.words(), errors);
    let of: Option<Path> = arguments.get("of").and_then(Argument::names).cloned();
    if of.is_none() && errors.is_empty() {
        errors.at(attribute.path(), format!("this projection does not name a model\nhelp: {example}"));
    }
    Some(Projection { record, of: of? })
}

const OWNS: &str = "a stored struct owns all values: a struct that borrows cannot be read back\nhelp: use `String` for `&str` and `Vec<T>` for `&[T]`";

/// Reads the fields of a struct that derives `derive`. `place` is the place of the attributes of the fields.
fn lower_record(input: &DeriveInput, derive: &str, place: Place, errors: &Errors) -> Option<Record> {
    let place_of_item = match place {
        Place::EmbedField => Place::Embed,
        Place::ProjectionField => Place::Projection,
        _ => Place::Model,
    };
    let Data::Struct(data) = &input.data else {
        errors.at(
            &input.ident,
            format!("`{derive}` is for a struct with named fields\nhelp: write `struct {} {{ .. }}`", input.ident),
        );
        return None;
    };
    let Fields::Named(fields) = &data.fields else {
        errors.at(&input.ident, format!("`{derive}` is for a struct with named fields: a stored document has names\nhelp: write `struct {} {{ .. }}`", input.ident));
        return None;
    };
    for parameter in &input.generics.params {
        if let GenericParam::Lifetime(lifetime) = parameter {
            errors.at(lifetime, OWNS);
            return None;
        }
    }
    let SerdeStruct { fields: names, strict } = SerdeStruct::read(input, errors);
    let extra = extra::lower_extra(fields, &names, place, errors);
    let mut skipped = skipped_fields(fields, &names);
    // A read sets the unknown fields, too.
    skipped.retain(|ident| extra.iter().all(|extra| extra.ident != *ident));
    let mut stored = fields.named.iter().zip(&names).filter(|(_, serde)| !serde.skipped && !serde.custom);
    if let Some((field, _)) = stored.find(|(field, _)| is_borrowed(&field.ty)) {
        errors.at(&field.ty, OWNS);
        return None;
    }
    let (flats, others): (Vec<_>, Vec<_>) =
        fields.named.iter().zip(names).partition(|(field, serde)| flat::is_flat(field, serde, place));
    let mut flats: Vec<Flat> =
        flats.into_iter().filter_map(|(field, serde)| flat::lower_flat(field, &serde, place, errors)).collect();
    let mut fields: Vec<Field> = others
        .into_iter()
        .filter_map(|(field, serde)| field::lower_field(field, serde, place, &input.ident, errors))
        .collect();
    flats.iter_mut().for_each(|flat| flat::refuse_struct(flat, input, strict, errors));
    // An attribute for fields that stands on the struct is missing on a field.
    let is_of_field = |attribute: Attribute| attribute.may_stand(place) && !attribute.may_stand(place_of_item);
    if input.attrs.iter().filter_map(|tokens| Attribute::of(tokens.path())).any(is_of_field) {
        fields.iter_mut().for_each(|field| field.broken = true);
    }
    Some(Record {
        ident: input.ident.clone(),
        item: input.ident.clone(),
        visibility: input.vis.clone(),
        generics: input.generics.clone(),
        fields,
        flats,
        skipped,
        extra,
        strict,
    })
}

/// Returns the fields that serde skips.
fn skipped_fields(fields: &FieldsNamed, names: &[SerdeField]) -> Vec<Ident> {
    let skipped = fields.named.iter().zip(names).filter(|(_, serde)| serde.skipped);
    skipped.filter_map(|(field, _)| field.ident.clone()).collect()
}

/// Returns the number of an argument, with the tokens.
fn number(argument: Option<&Argument>) -> Option<Number> {
    let argument = argument?;
    argument.number().map(|value| Number { value, tokens: argument.tokens.clone() })
}
