//! `#[auto]`, `#[default(..)]` and the word `new`: the struct of new values of a model.

use quote::format_ident;
use syn::{
    Attribute as Tokens, Data, DeriveInput, Expr, ExprPath, Lit, LitStr, Meta, Path, Token, punctuated::Punctuated,
};

use super::given::Given;
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{Fill, FillValue, NewField, NewStruct, Record, Sequence, SerdeDefault},
    parse::{Argument, Arguments, Value},
};

/// Reads the value that a new document gives the field.
pub(super) fn lower_fill(given: &Given<'_>, errors: &Errors) -> Option<Fill> {
    if let Some(attribute) = given.get(Attribute::Auto) {
        return lower_auto(attribute, errors).map(|value| Fill { tokens: attribute.path().clone(), value });
    }
    let attribute = given.get(Attribute::Default)?;
    let value = match &attribute.meta {
        Meta::Path(_) => None,
        _ => match attribute.parse_args::<Expr>() {
            Ok(value) => Some(value),
            Err(_) => {
                let message = "`#[default(..)]` takes one expression of the type of the field\nhelp: write `#[default(0)]`, or `#[default]` for `Default::default()`";
                errors.at(&attribute.meta, message);
                return None;
            }
        },
    };
    Some(Fill { tokens: attribute.path().clone(), value: FillValue::Default(value) })
}

fn lower_auto(attribute: &Tokens, errors: &Errors) -> Option<FillValue> {
    let before = errors.count();
    let mut arguments = Arguments::read(attribute, errors);
    arguments.expect_words(&Attribute::Auto.words(), errors);
    if errors.count() > before {
        return None;
    }
    match (arguments.get("with"), arguments.get("sequence")) {
        (Some(_), Some(sequence)) => {
            errors.at(
                &sequence.tokens,
                "`sequence` and `with` each make the value of the field\nhelp: remove `sequence` or `with`",
            );
            None
        }
        (Some(with), None) => with.names().cloned().map(FillValue::Function),
        (None, Some(sequence)) => {
            let tokens = sequence.text();
            let name = tokens.as_ref().map(LitStr::value).unwrap_or_default();
            Some(FillValue::Sequence(Sequence { name, tokens }))
        }
        (None, None) => Some(FillValue::Type),
    }
}

/// Names each sequence without a name: `invoices.number`.
pub(super) fn name_sequences(record: &mut Record, collection: &LitStr) {
    for field in &mut record.fields {
        if let Some(Fill { value: FillValue::Sequence(Sequence { name, tokens: None }), .. }) = &mut field.fill {
            *name = format!("{}.{}", collection.value(), field.name);
        }
    }
}

/// Reads the struct of new values; `None` for a model that does not ask for the struct.
pub(super) fn lower_new(
    input: &DeriveInput,
    new: Option<&Argument>,
    record: &Record,
    errors: &Errors,
) -> Option<NewStruct> {
    if new.is_none() && record.fields.iter().all(|field| field.fill.is_none()) {
        return None;
    }
    let derives = new.map(|new| lower_derives(new, errors)).unwrap_or_default();
    let mut metas = serde_metas(&input.attrs);
    let serde_default = metas.iter().find(|meta| meta.path().is_ident("default")).map(|meta| match text(meta) {
        Some(function) => function.parse().map_or(SerdeDefault::Trait, SerdeDefault::Function),
        None => SerdeDefault::Trait,
    });
    metas.retain(|meta| ["crate", "deny_unknown_fields"].iter().any(|name| meta.path().is_ident(name)));
    let Data::Struct(data) = &input.data else {
        let (ident, tokens) = (format_ident!("New{}", input.ident), new.map(|new| new.tokens.clone()));
        return Some(NewStruct {
            ident,
            tokens,
            derives,
            serde: metas,
            serde_default,
            fields: Vec::new(),
            flats: Vec::new(),
        });
    };
    let written = |name: &proc_macro2::Ident| data.fields.iter().find(|field| field.ident.as_ref() == Some(name));
    let fields = record.fields.iter().filter_map(|field| written(&field.ident)).map(lower_field).collect();
    let flats = record.flats.iter().filter_map(|flat| written(&flat.ident)).map(lower_field).collect();
    let (ident, tokens) = (format_ident!("New{}", input.ident), new.map(|new| new.tokens.clone()));
    Some(NewStruct { ident, tokens, derives, serde: metas, serde_default, fields, flats })
}

/// Reads the paths in `new(Debug, Clone)`.
fn lower_derives(new: &Argument, errors: &Errors) -> Vec<Path> {
    let derives = new.inside().iter().filter_map(|derive| match (&derive.value, &derive.tokens) {
        (Value::None, Expr::Path(path)) => Some(path.path.clone()),
        _ => {
            errors.at(
                &derive.tokens,
                "`new` takes the derives of the struct of new values\nhelp: write `new(Debug, Clone)`",
            );
            None
        }
    });
    derives.collect()
}

fn lower_field(field: &syn::Field) -> NewField {
    let mut serde = serde_metas(&field.attrs);
    serde.retain(|meta| !["rename", "alias"].iter().any(|name| meta.path().is_ident(name)));
    let named = |name: &str| serde.iter().find(|meta| meta.path().is_ident(name)).and_then(text);
    let function = |path: &LitStr, end: &str| -> Option<ExprPath> {
        LitStr::new(&format!("{}{end}", path.value()), path.span()).parse().ok()
    };
    let reader = match (named("deserialize_with"), named("with")) {
        (Some(reader), _) => function(&reader, ""),
        (None, Some(module)) => function(&module, "::deserialize"),
        (None, None) => None,
    };
    let docs = field.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).cloned().collect();
    NewField { docs, serde, reader }
}

/// Returns the words of all attributes of serde; no words of an attribute that serde refuses.
fn serde_metas(attributes: &[Tokens]) -> Vec<Meta> {
    let of_serde = attributes.iter().filter(|attribute| attribute.path().is_ident("serde"));
    let words = of_serde
        .filter_map(|attribute| attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok());
    words.flatten().collect()
}

/// Returns the string of `with = "my_dates"`.
fn text(meta: &Meta) -> Option<LitStr> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        },
        Meta::Path(_) | Meta::List(_) => None,
    }
}
