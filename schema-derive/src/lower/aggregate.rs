//! Reads the result of an aggregation: `#[derive(Aggregate)]`.

mod children;
mod key;
mod term;
pub(super) mod value;

#[cfg(test)]
pub(crate) use value::words_of_values;

pub(super) use key::ranges;
use proc_macro2::Ident;
use syn::{Data, DeriveInput, Expr, Fields, FieldsNamed, Path, Token, punctuated::Punctuated};

use super::allow::lower_aggregate_allow;
use crate::{
    errors::Errors,
    model::{
        Allow,
        aggregate::{Aggregate, AggregateField, ChildrenPath, FieldPath, Key},
    },
    parse::{SerdeField, SerdeStruct, did_you_mean, identifier, path_of, read_argument},
};

const EXAMPLE: &str = "write `#[aggregate(of = Order, by(customer))]`: the model, and the fields of the model that the documents of one group share";

/// The words of `#[aggregate(..)]`.
const WORDS: [&str; 7] = ["of", "by", "unwind", "fill", "into", "allow", "crate"];

/// The arguments of `#[aggregate(..)]`.
#[derive(Default)]
struct Item {
    of: Option<Path>,
    unwind: Vec<FieldPath>,
    keys: Vec<Key>,
    fill: Option<Expr>,
    into: Option<Path>,
    has_lost_key: bool,
    allows: Vec<Allow>,
}

/// Reads an aggregation; `None` after a mistake that leaves nothing to go on with.
pub(crate) fn lower_aggregate(input: &DeriveInput, errors: &Errors) -> Option<Aggregate> {
    let named = named_fields(input, "an aggregation has groups of one model", errors)?;
    let named = named.ok_or_else(|| {
        format!("`Aggregate` is for a struct with named fields: each field is a key or a value of a group\nhelp: write `struct {} {{ #[count] orders: i64 }}`", input.ident)
    });
    let named = named.map_err(|message| errors.at(&input.ident, message)).ok()?;
    let item = lower_item(input, errors);
    let serde = SerdeStruct::read(input, errors).fields;
    let mut fields = Vec::new();
    for (field, serde) in named.named.iter().zip(serde) {
        let Some(ident) = field.ident.clone() else { continue };
        let before = errors.count();
        let (value, children) = (value::lower_value(field, errors), lower_children(field));
        check_name(&ident, &serde, "each field of an aggregation is a key or a value of a group", errors);
        fields.push(AggregateField {
            rust_name: identifier(&ident),
            ident,
            ty: field.ty.clone(),
            visibility: field.vis.clone(),
            name: serde.name,
            value,
            children,
            broken: errors.count() > before,
        });
    }
    let Item { of, unwind, keys, fill, into, has_lost_key, allows } = item;
    Some(Aggregate {
        ident: input.ident.clone(),
        visibility: input.vis.clone(),
        of: of?,
        unwind,
        keys,
        has_lost_key,
        fill,
        into,
        allows,
        fields,
    })
}

/// Returns the relation that the value of a field names.
pub(super) fn lower_children(field: &syn::Field) -> Option<ChildrenPath> {
    children::children_in(value::attribute_of_value(field)?)
}

/// Returns the fields of a struct of results: `None` after a parameter, and no fields for an item without named fields.
pub(super) fn named_fields<'i>(input: &'i DeriveInput, why: &str, errors: &Errors) -> Option<Option<&'i FieldsNamed>> {
    if let Some(parameter) = input.generics.params.first() {
        let message = format!("`{}` has a parameter, and {why}", input.ident);
        errors.at(parameter, message + "\nhelp: write one struct for each model, with owned values");
        return None;
    }
    Some(match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Some(fields),
            Fields::Unnamed(_) | Fields::Unit => None,
        },
        Data::Enum(_) | Data::Union(_) => None,
    })
}

/// Refuses a field of a result that serde leaves out, or whose name the server does not take for the name of a field.
pub(super) fn check_name(ident: &Ident, serde: &SerdeField, why: &str, errors: &Errors) {
    if serde.skipped || serde.flat {
        errors.at(
            ident,
            format!("serde leaves this field out of the document, and {why}\nhelp: remove the field, or the attribute of serde"),
        );
    }
    if serde.name.contains('.') || serde.name.starts_with('$') || serde.name.is_empty() {
        errors.at(
            ident,
            format!("the server takes `{}` for a path or an operator, and not for the name of a field\nhelp: remove `#[serde(rename = ..)]`", serde.name),
        );
    }
}

/// Reads `#[aggregate(of = Order, by(..), unwind(..))]`.
fn lower_item(input: &DeriveInput, errors: &Errors) -> Item {
    let mut item = Item::default();
    let mut attributes = input.attrs.iter().filter(|attribute| attribute.path().is_ident("aggregate"));
    let Some(attribute) = attributes.next() else {
        errors.at(&input.ident, format!("this aggregation does not name its model\nhelp: {EXAMPLE}"));
        return item;
    };
    if let Some(second) = attributes.next() {
        errors.at(second.path(), "`#[aggregate(..)]` is given twice\nhelp: write all words in a single attribute");
    }
    let before = errors.count();
    let arguments = match attribute.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated) {
        Ok(arguments) => arguments,
        Err(error) => {
            errors.push(error);
            return item;
        }
    };
    for argument in &arguments {
        lower_argument(argument, &mut item, errors);
    }
    if let Some(of) = item.of.take_if(|of| of.is_ident(&input.ident)) {
        errors.rule(
            of,
            "aggregate_field",
            "an aggregation cannot group its own groups",
            "name the model, or the struct of another aggregation",
        );
    }
    if item.of.is_none() && errors.count() == before {
        errors.at(attribute.path(), format!("this aggregation does not name its model\nhelp: {EXAMPLE}"));
    }
    item
}

fn lower_argument(argument: &Expr, item: &mut Item, errors: &Errors) {
    match argument {
        Expr::Assign(assign) => match (word_of(&assign.left).as_str(), &*assign.right) {
            ("of", Expr::Path(path)) if item.of.is_none() => item.of = Some(path.path.clone()),
            ("into", Expr::Path(path)) if item.into.is_none() => item.into = Some(path.path.clone()),
            ("crate", Expr::Path(_)) => {}
            _ => refuse_argument(argument, &word_of(&assign.left), errors),
        },
        Expr::Call(call) => match word_of(&call.func).as_str() {
            "by" if item.keys.is_empty() => {
                item.keys = call.args.iter().filter_map(|key| key::lower_key(key, errors)).collect();
                item.has_lost_key = item.keys.len() < call.args.len();
            }
            "unwind" if item.unwind.is_empty() => {
                item.unwind = call.args.iter().filter_map(|path| field_path(path, errors)).collect();
            }
            "allow" => {
                let allow = read_argument(argument.clone(), errors);
                item.allows.extend(allow.and_then(|allow| lower_aggregate_allow(&allow, errors)));
            }
            word => refuse_argument(argument, word, errors),
        },
        Expr::Path(_) if word_of(argument) == "fill" && item.fill.is_none() => item.fill = Some(argument.clone()),
        other => refuse_argument(other, &word_of(other), errors),
    }
}

fn refuse_argument(argument: &Expr, word: &str, errors: &Errors) {
    let message = match WORDS.contains(&word) {
        true => format!("`{word}` stands here in a wrong form, or twice"),
        false => format!("unknown word `{word}` in `#[aggregate(..)]`{}", did_you_mean(word, &WORDS)),
    };
    errors.at(argument, format!("{message}\nhelp: write `#[aggregate(of = Order, unwind(lines), by(customer, month = month(placed)))]`; each word stands once"));
}

/// Returns a word of an attribute; empty for anything else.
pub(super) fn word_of(expression: &Expr) -> String {
    path_of(expression).map(|path| path.join(".")).unwrap_or_default()
}

/// Reads the path of a field of the model.
pub(super) fn field_path(expression: &Expr, errors: &Errors) -> Option<FieldPath> {
    match path_of(expression) {
        Some(path) => Some(FieldPath { path, tokens: expression.clone() }),
        None => {
            errors.rule(
                expression,
                "aggregate_field",
                "this is no field of the model",
                "write the name of a field, as `total`, or a path, as `address.city`",
            );
            None
        }
    }
}
