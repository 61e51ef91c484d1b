//! From attributes as written to the model: defaults and meanings live here.

mod allow;
mod collection;
mod copy;
mod embedded;
mod field;
mod index;
mod managed;
mod relation;
mod rollup;

use syn::{Data, DeriveInput, Fields, GenericParam, Path};

use crate::{
    errors::Errors,
    model::{Embed, Model, Number, Projection, Record},
    parse::{Argument, Arguments, SerdeStruct, unit_variants},
};

/// A model; `None` after a mistake that leaves nothing to go on with.
pub(crate) fn lower_model(input: &DeriveInput, errors: &Errors) -> Option<Model> {
    embedded::refuse_on_struct(input, errors);
    let record = lower_record(input, "Model", errors)?;
    let settings = collection::lower_settings(input, errors);
    let inverses = collection::lower_inverses(input, errors);
    let mut indexes = index::lower_declared(input, &record, errors);
    indexes.extend(index::needed_by_relations(&record));
    Some(Model {
        record,
        collection: settings.collection,
        level: settings.level,
        action: settings.action,
        indexes,
        inverses,
        writes: settings.writes,
        allows: settings.allows,
    })
}

/// What is stored inside a model.
pub(crate) fn lower_embed(input: &DeriveInput, errors: &Errors) -> Option<Embed> {
    embedded::refuse_on_struct(input, errors);
    embedded::refuse_misplaced(input, errors);
    match &input.data {
        Data::Enum(data) => match unit_variants(input, errors) {
            Some(variants) => Some(Embed::Enum { ident: input.ident.clone(), variants }),
            None => {
                match data.variants.iter().find(|variant| !variant.fields.is_empty()) {
                    Some(variant) => errors.at(
                        variant,
                        "a variant with data has no single stored shape yet\nhelp: `Embed` takes enums whose variants stand alone; write this one as a struct, or put `#[opaque(max_bytes = N)]` on the field that holds it",
                    ),
                    None if errors.is_empty() => errors.at(&input.ident, "serde refuses this enum's attributes"),
                    None => {}
                }
                None
            }
        },
        Data::Struct(data) => match &data.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let inner = fields.unnamed.first()?;
                let _ = SerdeStruct::read(input, errors);
                Some(Embed::Newtype {
                    ident: input.ident.clone(),
                    generics: input.generics.clone(),
                    ty: Box::new(inner.ty.clone()),
                    storage: field::lower_newtype_storage(inner, errors),
                })
            }
            _ => lower_record(input, "Embed", errors).map(Embed::Struct),
        },
        Data::Union(_) => {
            errors.at(&input.ident, "a union cannot be stored");
            None
        }
    }
}

/// A partial view of a model.
pub(crate) fn lower_projection(input: &DeriveInput, errors: &Errors) -> Option<Projection> {
    let record = lower_record(input, "Projection", errors)?;
    let example = "write `#[projection(of = Part)]` with the model it is a view of";
    let Some(attribute) = input.attrs.iter().find(|attribute| attribute.path().is_ident("projection")) else {
        errors.at(&input.ident, format!("this projection does not say of what\nhelp: {example}"));
        return None;
    };
    let arguments = Arguments::read(attribute, errors);
    arguments.expect_words(&["of"], errors);
    let of: Option<Path> = arguments.get("of").and_then(|argument| match &argument.value {
        crate::parse::Value::Assigned(syn::Expr::Path(path)) => Some(path.path.clone()),
        _ => None,
    });
    if of.is_none() && errors.is_empty() {
        errors.at(attribute.path(), format!("this projection does not say of what\nhelp: {example}"));
    }
    Some(Projection { record, of: of? })
}

fn lower_record(input: &DeriveInput, derive: &str, errors: &Errors) -> Option<Record> {
    let Data::Struct(data) = &input.data else {
        errors.at(&input.ident, format!("`{derive}` is for a struct with named fields"));
        return None;
    };
    let Fields::Named(fields) = &data.fields else {
        errors.at(&input.ident, format!("`{derive}` is for a struct with named fields: a stored document has names"));
        return None;
    };
    for parameter in &input.generics.params {
        if let GenericParam::Lifetime(lifetime) = parameter {
            errors.at(
                lifetime,
                "a stored struct owns its values: one that borrows cannot be read back\nhelp: use `String` for `&str` and `Vec<T>` for `&[T]`",
            );
            return None;
        }
    }
    let SerdeStruct { fields: names, strict } = SerdeStruct::read(input, errors);
    let fields = fields
        .named
        .iter()
        .zip(names)
        .filter_map(|(field, serde)| field::lower_field(field, serde, derive, &input.ident, errors))
        .collect();
    Some(Record {
        ident: input.ident.clone(),
        visibility: input.vis.clone(),
        generics: input.generics.clone(),
        fields,
        strict,
    })
}

/// The number that an argument gives, with its tokens.
fn number(argument: Option<&Argument>, errors: &Errors) -> Option<Number> {
    let argument = argument?;
    argument.expect_number(errors).map(|value| Number { value, tokens: argument.tokens.clone() })
}
