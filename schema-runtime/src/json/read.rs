//! Reads a parsed JSON text by the shape of a struct. Only a shape decides the type of a value, so that no text becomes
//! an operator or a value of another type.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document};

use super::{
    extended::read_any,
    mistake::{doubled, misform, mistype},
    name::{Fields, find, name_of},
    options::{JsonOptions, UnknownFields},
    scalar,
    tree::JsonTree,
};
use crate::{
    definition::{FieldDefinition, JsonField, Kind, Shape, Variants},
    error::{JsonError, JsonErrorKind},
    text,
};

/// The most characters of an unknown name in the path of an error.
const NAME_LEN: usize = 40;

/// Reads a value of this shape.
fn read_value(shape: &Shape, tree: JsonTree, options: JsonOptions) -> Result<Bson, JsonError> {
    match (shape.kind, tree) {
        (_, JsonTree::Null) if shape.nullable => Ok(Bson::Null),
        (Kind::Opaque { .. } | Kind::Model { .. }, tree) => read_any(tree, options),
        (Kind::Scalar(scalar), tree) => scalar::read(scalar, shape, tree, options),
        (Kind::String { .. }, JsonTree::Text(text)) => Ok(Bson::String(text)),
        (Kind::Enum(names), JsonTree::Text(text)) if names.contains(&text.as_str()) => Ok(Bson::String(text)),
        (Kind::Enum(names), JsonTree::Text(_)) => Err(misform(text::names_form(names))),
        (Kind::Array { items, .. }, JsonTree::List(elements)) => {
            let each = elements.into_iter().enumerate();
            let each = each.map(|(at, tree)| read_value(items, tree, options).map_err(|error| error.under(at)));
            Ok(Bson::Array(each.collect::<Result<_, _>>()?))
        }
        (Kind::Map { values, .. }, JsonTree::Object(entries)) => read_map(values, entries, options),
        (Kind::Document { .. }, JsonTree::Object(entries)) => {
            read_fields(Fields::of(shape), entries, options).map(Bson::Document)
        }
        (Kind::String { .. }, tree) => Err(mistype("text", &tree)),
        (Kind::Enum(names), tree) => Err(mistype(text::names_form(names), &tree)),
        (Kind::Array { .. }, tree) => Err(mistype("an array", &tree)),
        (Kind::Map { .. } | Kind::Document { .. }, tree) => Err(mistype("an object", &tree)),
    }
}

/// Reads a map. The keys are data, so that `*` stands for a key in a path.
fn read_map(values: &Shape, entries: Vec<(String, JsonTree)>, options: JsonOptions) -> Result<Bson, JsonError> {
    let mut document = Document::new();
    for (key, tree) in entries {
        if key.contains('\0') {
            return Err(misform("a key without NUL").under("*"));
        }
        if document.contains_key(&key) {
            return Err(doubled().under("*"));
        }
        let value = read_value(values, tree, options).map_err(|error| error.under("*"))?;
        document.insert(key, value);
    }
    Ok(Bson::Document(document))
}

/// Reads the fields of a struct, or the tag and the fields of an enum.
pub(super) fn read_fields(
    fields: Fields,
    entries: Vec<(String, JsonTree)>,
    options: JsonOptions,
) -> Result<Document, JsonError> {
    match fields.variants {
        None => read_struct(fields.list, entries, Document::new(), options),
        Some(variants) => read_variant(variants, entries, options),
    }
}

fn read_variant(
    variants: &Variants,
    entries: Vec<(String, JsonTree)>,
    options: JsonOptions,
) -> Result<Document, JsonError> {
    let (mut tags, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(name, _)| name == variants.tag);
    let at_tag = |error: JsonError| error.under(variants.tag);
    if tags.len() > 1 {
        return Err(at_tag(doubled()));
    }
    let names = || text::names_form(&variants.list.iter().map(|variant| variant.name).collect::<Vec<_>>());
    let tag = match tags.pop() {
        Some((_, JsonTree::Text(tag))) => tag,
        Some((_, tree)) => return Err(at_tag(mistype(names(), &tree))),
        None => return Err(at_tag(JsonError::new(JsonErrorKind::MissingField))),
    };
    let Some(variant) = variants.find(&tag) else { return Err(at_tag(misform(names()))) };
    let mut document = Document::new();
    document.insert(variants.tag, variant.name);
    read_struct(variant.fields, others, document, options)
}

/// Reads the fields of a struct into a document.
fn read_struct(
    fields: &[FieldDefinition],
    entries: Vec<(String, JsonTree)>,
    mut document: Document,
    options: JsonOptions,
) -> Result<Document, JsonError> {
    let mut given: Vec<Option<JsonTree>> = fields.iter().map(|_| None).collect();
    let mut unknown = HashSet::new();
    for (name, tree) in entries {
        let Some(at) = find(fields, &name) else {
            if options.unknown_fields == UnknownFields::Refused {
                return Err(JsonError::new(JsonErrorKind::UnknownField).under(shown(&name)));
            }
            if !unknown.insert(name.clone()) {
                return Err(doubled().under(shown(&name)));
            }
            continue;
        };
        if given[at].replace(tree).is_some() {
            return Err(doubled().under(shown(&name)));
        }
    }
    for (field, tree) in fields.iter().zip(given) {
        let name = name_of(fields, field).unwrap_or(field.rust_name);
        match tree {
            Some(tree) => {
                let value = read_value(&field.shape, tree, options).map_err(|error| error.under(name))?;
                document.insert(field.name, value);
            }
            // An absent hidden field was not loaded.
            None if !field.required || field.hidden => {}
            None => {
                let is_skipped = field.json == JsonField::Skipped;
                let kind = if is_skipped { JsonErrorKind::SkippedField } else { JsonErrorKind::MissingField };
                return Err(JsonError::new(kind).under(name));
            }
        }
    }
    Ok(document)
}

/// Returns a name of an untrusted text for a path: cut, and without control characters.
fn shown(name: &str) -> String {
    let mut letters = name.chars();
    let cut: String = letters.by_ref().take(NAME_LEN).collect();
    let end = if letters.next().is_some() { ".." } else { "" };
    format!("{}{end}", cut.escape_debug())
}
