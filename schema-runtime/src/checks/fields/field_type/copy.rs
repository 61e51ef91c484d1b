//! The check that a copy can hold every value of its source.

use super::kind;
use crate::definition::{
    CopyDefinition, FieldDefinition, Kind, Message, ModelDefinition, ResolvedPath, Scalar, Shape, find, find_stored,
    same_variants, str_eq,
};

/// The reason why a copy cannot hold its source.
pub(super) enum Misfit {
    Type,
    Opaque,
    /// A function of the source's field writes the value in a form of its own.
    Converted,
    /// A variant that the copy does not have.
    Variant(&'static str),
    /// The type of the numbers of the source, and of the copy.
    Number(&'static str, &'static str),
    /// The most code points of the source, if it has a bound, and of the copy.
    Length(Option<u64>, u64),
    /// The most elements of the source, and of the copy.
    Elements(u64, u64),
    /// The field of a struct that the source does not always have.
    Member(&'static str),
    /// The struct that refuses unknown fields, and the field of the source that the struct does not have.
    Strict(&'static str, Option<&'static str>),
}

#[track_caller]
pub(in crate::checks) const fn enforce_copy(
    fields: &'static [FieldDefinition],
    copy: &CopyDefinition,
    source: &ModelDefinition,
    path: &ResolvedPath,
) {
    let Some(field) = find(fields, copy.field) else { return };
    if let Some(misfit) = misfit(&field.shape, &path.shape) {
        fail(field, copy, source, path, &misfit)
    }
    let null = match find(fields, copy.reference) {
        Some(reference) if reference.shape.nullable || !reference.required => {
            Some(Message::new().code(copy.reference).text(" may be null or absent, and then there is nothing to copy"))
        }
        Some(reference) if reference.may_dangle => Some(
            Message::new()
                .code(copy.reference)
                .text(" may refer to a document that is not there (`may_dangle`), and then there is nothing to copy"),
        ),
        _ if path.optional => {
            Some(Message::new().field(source.model, copy.from).text(" may be null or absent, and its copy may not"))
        }
        _ => None,
    };
    if let Some(message) = null
        && !field.shape.nullable
    {
        message.text("\nhelp: make the copy ").code(field.rust_name).text(" an `Option`\nrule: field_type").fail()
    }
}

#[track_caller]
const fn fail(
    field: &FieldDefinition,
    copy: &CopyDefinition,
    source: &ModelDefinition,
    path: &ResolvedPath,
    misfit: &Misfit,
) -> ! {
    let (origin, name) = (Message::new().field(source.model, copy.from), field.rust_name);
    let message = match *misfit {
        Misfit::Type => origin
            .text(" is ")
            .text(kind(&path.shape))
            .text(", and its copy is ")
            .text(kind(&field.shape))
            .text("\nhelp: give ")
            .code(name)
            .text(" the type that it has in ")
            .code(source.model),
        Misfit::Opaque | Misfit::Converted => {
            origin.text(" is `#[opaque(..)]`: nothing is known of its type, which its copy must have, too\nhelp: write `#[derive(Embed)]` on its type in place of `#[opaque(..)]`; or remove this copy and read the field from the source")
        }
        Misfit::Variant(variant) => origin
            .text(" may be ")
            .code(variant)
            .text(", which the enum of its copy does not have\nhelp: give ")
            .code(name)
            .text(" the same enum"),
        Misfit::Number(source_type, copy_type) => origin
            .text(" may hold any ")
            .code(source_type)
            .text(", and its copy holds an ")
            .code(copy_type)
            .text(" only\nhelp: give ")
            .code(name)
            .text(" the type that it has in ")
            .code(source.model),
        Misfit::Length(Some(longest), max_len) => origin
            .text(" may have ")
            .number(longest)
            .text(" code points, and its copy holds at most ")
            .number(max_len)
            .text(": the write that propagates it would be refused\nhelp: write `max_len = ")
            .number(longest)
            .text("` here"),
        Misfit::Length(None, max_len) => origin
            .text(" has no `max_len`, and its copy holds at most ")
            .number(max_len)
            .text(" code points: the write that propagates a longer one would be refused\nhelp: give it `#[bound(max_len = ")
            .number(max_len)
            .text(")]` in ")
            .code(source.model)
            .text(" too, or remove it here"),
        Misfit::Elements(most, max) => origin
            .text(" may hold ")
            .number(most)
            .text(" elements, and its copy holds at most ")
            .number(max)
            .text(": the write that propagates it would be refused\nhelp: write `max_items = ")
            .number(most)
            .text("` here"),
        Misfit::Strict(strict, unread) => {
            origin.text(" is copied with ").message(&refusal(unread, &Message::new(), strict)).fail()
        }
        Misfit::Member(member) => origin
            .text(" may lack ")
            .code(member)
            .text(", or hold null there, and its copy may not\nhelp: give ")
            .code(name)
            .text(" the type that it has in ")
            .code(source.model),
    };
    message.text("\nrule: field_type").fail()
}

const fn misfit(shape: &Shape, of: &Shape) -> Option<Misfit> {
    match (shape.kind, of.kind) {
        (_, Kind::Opaque { .. }) => Some(Misfit::Opaque),
        (Kind::Scalar(_), Kind::Scalar(_)) => scalar_misfit(shape, of),
        (Kind::String { max_len: None }, Kind::String { .. } | Kind::Enum(_)) => None,
        (Kind::String { max_len: Some(most) }, Kind::String { .. } | Kind::Enum(_)) => text(most, of),
        (Kind::Enum(copy), Kind::Enum(source)) => {
            let mut at = 0;
            while at < source.len() {
                if !is_among(copy, source[at]) {
                    return Some(Misfit::Variant(source[at]));
                }
                at += 1;
            }
            None
        }
        (Kind::Array { items: copy, max, min }, Kind::Array { items, max: most, min: fewest }) => {
            match elements(max, most) {
                Some(misfit) => Some(misfit),
                None if fewest < min => Some(Misfit::Type),
                None => inner(copy, items),
            }
        }
        (Kind::Map { values: copy, max }, Kind::Map { values, max: most }) => match elements(max, most) {
            Some(misfit) => Some(misfit),
            None => inner(copy, values),
        },
        // An enum is copied by an enum with the same variants.
        (Kind::Document { .. }, Kind::Document { .. }) if shape.variants.is_some() => {
            if same_variants(shape.variants, of.variants) { None } else { Some(Misfit::Type) }
        }
        (Kind::Document { fields: copy, .. }, Kind::Document { fields: source, .. }) => {
            let mut at = 0;
            while at < copy.len() {
                match find_stored(source, copy[at].name) {
                    Some(field) if field.required || !copy[at].required => {
                        if let Some(misfit) = inner(&copy[at].shape, &field.shape) {
                            return Some(misfit);
                        }
                    }
                    _ if copy[at].required => return Some(Misfit::Member(copy[at].name)),
                    _ => {}
                }
                at += 1;
            }
            unread(shape, of)
        }
        _ => Some(Misfit::Type),
    }
}

/// Returns the field of a stored value that a struct with `deny_unknown_fields` does not know.
pub(super) const fn unread(view: &Shape, stored: &Shape) -> Option<Misfit> {
    let (Kind::Document { name, .. }, Kind::Document { fields, copies, .. }) = (view.kind, stored.kind) else {
        return None;
    };
    if !view.strict {
        return None;
    }
    let mut at = 0;
    while at < fields.len() {
        if find_stored(view.fields(), fields[at].name).is_none() {
            return Some(Misfit::Strict(name, Some(fields[at].name)));
        }
        at += 1;
    }
    if copies.is_empty() { None } else { Some(Misfit::Strict(name, None)) }
}

/// Starts the message for a struct that refuses this field, or the fields that this crate adds, and names the fix.
pub(super) const fn refusal(unread: Option<&str>, place: &Message, strict: &str) -> Message {
    let message = match unread {
        Some(field) => Message::new().code(field),
        None => Message::new().text("what this crate writes beside copies,"),
    };
    let message = message
        .message(place)
        .text(", and ")
        .code(strict)
        .text(" refuses fields that are not its own (`deny_unknown_fields`)\nhelp: remove `deny_unknown_fields` from ")
        .code(strict);
    match unread {
        Some(field) => message.text(", or give ").code(strict).text(" a field that is stored as ").code(field),
        None => message,
    }
    .text("\nrule: field_type")
}

/// Returns the reason why a value of the shape `of` cannot be read as a value of `shape`.
pub(super) const fn scalar_misfit(shape: &Shape, of: &Shape) -> Option<Misfit> {
    let is_same = match (shape.kind, of.kind) {
        (Kind::Scalar(one), Kind::Scalar(other)) => one as u8 == other as u8,
        _ => false,
    };
    match (shape.kind, of.kind) {
        (Kind::Scalar(Scalar::Single), Kind::Scalar(Scalar::Double)) => return Some(Misfit::Number("f64", "f32")),
        (Kind::Scalar(Scalar::Double), Kind::Scalar(Scalar::Single)) => return None,
        _ => {}
    }
    match (shape.integer, of.integer) {
        (Some(one), Some(other)) if !one.has_room_for(&other) => Some(Misfit::Number(other.name, one.name)),
        (None, Some(_)) if matches!(shape.kind, Kind::Scalar(scalar) if scalar.is_float()) => None,
        _ if is_same => None,
        _ => Some(Misfit::Type),
    }
}

const fn inner(copy: &Shape, source: &Shape) -> Option<Misfit> {
    if source.nullable && !copy.nullable { Some(Misfit::Type) } else { misfit(copy, source) }
}

/// Returns the misfit of a text that may have more code points than `most`.
pub(super) const fn text(most: u64, of: &Shape) -> Option<Misfit> {
    match of.kind {
        Kind::String { max_len: Some(longest) } if longest <= most => None,
        Kind::String { max_len } => Some(Misfit::Length(max_len, most)),
        Kind::Enum(variants) => {
            let mut at = 0;
            while at < variants.len() {
                let length = variants[at].len() as u64;
                if length > most {
                    return Some(Misfit::Length(Some(length), most));
                }
                at += 1;
            }
            None
        }
        _ => None,
    }
}

pub(super) const fn elements(max: Option<u64>, most: Option<u64>) -> Option<Misfit> {
    match (max, most) {
        (Some(max), Some(most)) if max < most => Some(Misfit::Elements(most, max)),
        _ => None,
    }
}

const fn is_among(names: &[&str], name: &str) -> bool {
    let mut at = 0;
    while at < names.len() {
        if str_eq(names[at], name) {
            return true;
        }
        at += 1;
    }
    false
}
