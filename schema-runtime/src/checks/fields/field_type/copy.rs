//! The check that a copy can hold every value of its source.

use super::kind;
use crate::definition::{
    CopyDefinition, FieldDefinition, Kind, ModelDefinition, ResolvedPath, Scalar, Shape, digits, dotted, each, find,
    find_stored, refuse, same_variants, str_eq, text,
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
    /// The word of a rule of the copy that the source does not have.
    Rule(&'static str),
    /// The field of a struct that the source does not always have.
    Member(&'static str),
    /// The type of the copy, which holds a part of the stored values of the BSON type.
    Form(&'static str),
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
    if field.shape.nullable {
        return;
    }
    let null = match find(fields, copy.reference) {
        Some(reference) if reference.shape.nullable || !reference.required => {
            text!("`{}` may be null or absent, and then there is nothing to copy", copy.reference)
        }
        Some(reference) if reference.may_dangle => text!(
            "`{}` may refer to a document that does not exist (`may_dangle`), and then there is nothing to copy",
            copy.reference
        ),
        _ if path.optional => {
            text!("`{}.{}` may be null or absent, and the copy may not", source.model, dotted(copy.from).as_str())
        }
        _ => return,
    };
    refuse! {
        "{}", null.as_str();
        help: "make the copy `{}` an `Option`", field.rust_name
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
    let (model, from, name) = (source.model, dotted(copy.from), field.rust_name);
    let from = from.as_str();
    match *misfit {
        Misfit::Type => refuse! {
            "`{}.{}` is {}, and the copy is {}", model, from, kind(&path.shape), kind(&field.shape);
            help: "give `{}` the same type as in `{}`", name, model
        },
        Misfit::Opaque if matches!(path.shape.kind, Kind::Opaque { raw: Some(_), .. }) => refuse! {
            "`{}.{}` is {}: the type of a value is unknown, and a copy needs the same type",
                model, from, kind(&path.shape);
            help: "remove this copy and read the field from the source"
        },
        Misfit::Opaque | Misfit::Converted => refuse! {
            "`{}.{}` is `#[opaque(..)]`: the type is unknown, and a copy needs the same type", model, from;
            help: "write `#[derive(Embed)]` on the type of the field in place of `#[opaque(..)]`; or remove this copy and read the field from the source"
        },
        Misfit::Variant(variant) => refuse! {
            "`{}.{}` may be `{}`, and the enum of the copy does not have this variant", model, from, variant;
            help: "give `{}` the same enum", name
        },
        Misfit::Number(source_type, copy_type) => refuse! {
            "`{}.{}` may hold any `{}`, and the copy holds only an `{}`", model, from, source_type, copy_type;
            help: "give `{}` the same type as in `{}`", name, model
        },
        Misfit::Length(Some(longest), max_len) => {
            let longest = digits(longest);
            refuse! {
                "`{}.{}` may have {} code points, and the copy holds at most {}: the update of the copy would be refused",
                    model, from, longest.as_str(), digits(max_len).as_str();
                help: "write `max_len = {}` here", longest.as_str()
            }
        }
        Misfit::Length(None, max_len) => {
            let max_len = digits(max_len);
            refuse! {
                "`{}.{}` has no `max_len`, and the copy holds at most {} code points: the update of the copy with a longer string would be refused",
                    model, from, max_len.as_str();
                help: "write `#[bound(max_len = {})]` in `{}` too, or remove `max_len` here", max_len.as_str(), model
            }
        }
        Misfit::Elements(most, max) => {
            let most = digits(most);
            refuse! {
                "`{}.{}` may hold {} elements, and the copy holds at most {}: the update of the copy would be refused",
                    model, from, most.as_str(), digits(max).as_str();
                help: "write `max_items = {}` here", most.as_str()
            }
        }
        Misfit::Rule(word) => refuse! {
            "the type of the copy has the rule `{}` of `#[check(..)]`, and `{}.{}` does not: the update of the copy may be refused",
                word, model, from;
            help: "give `{}` the same type as in `{}`, with the same rules", name, model
        },
        Misfit::Form(narrow) => refuse! {
            "`{}.{}` may hold a value that the type of its copy, `{}`, cannot read", model, from, narrow;
            help: "give `{}` the type that it has in `{}`", name, model
        },
        Misfit::Strict(strict, unread) => {
            strict_struct(text!("`{}.{}` is copied with", model, from).as_str(), unread, "", strict)
        }
        Misfit::Member(member) => refuse! {
            "`{}.{}` may have an absent or a null `{}`, and the copy may not", model, from, member;
            help: "give `{}` the same type as in `{}`", name, model
        },
    }
}

const fn misfit(shape: &Shape, of: &Shape) -> Option<Misfit> {
    if let Some(narrow) = shape.narrower_than(of) {
        return Some(Misfit::Form(narrow));
    }
    if let Some(rule) = shape.rules.beyond(&of.rules) {
        return Some(Misfit::Rule(rule.name()));
    }
    match (shape.kind, of.kind) {
        (_, Kind::Opaque { .. }) => Some(Misfit::Opaque),
        (Kind::Scalar(_), Kind::Scalar(_)) => scalar_misfit(shape, of),
        (Kind::String { max_len: None }, Kind::String { .. } | Kind::Enum(_)) => None,
        (Kind::String { max_len: Some(most) }, Kind::String { .. } | Kind::Enum(_)) => length(most, of),
        (Kind::Enum(copy), Kind::Enum(source)) => {
            each!(for variant in source {
                if !is_among(copy, variant) {
                    return Some(Misfit::Variant(variant));
                }
            });
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
            each!(for part in copy {
                match find_stored(source, part.name) {
                    Some(field) if field.required || !part.required => {
                        if let Some(misfit) = inner(&part.shape, &field.shape) {
                            return Some(misfit);
                        }
                    }
                    _ if part.required => return Some(Misfit::Member(part.name)),
                    _ => {}
                }
            });
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
    each!(for field in fields {
        if find_stored(view.fields(), field.name).is_none() {
            return Some(Misfit::Strict(name, Some(field.name)));
        }
    });
    if copies.is_empty() { None } else { Some(Misfit::Strict(name, None)) }
}

/// Reports a struct that refuses this field, or the fields that this crate adds.
#[track_caller]
pub(super) const fn strict_struct(origin: &str, unread: Option<&str>, place: &str, strict: &str) -> ! {
    let (what, field) = match unread {
        Some(field) => (text!("`{}`", field), text!(", or give `{}` a field that is stored as `{}`", strict, field)),
        None => (text!("the fields that this crate adds beside copies"), text!("")),
    };
    refuse! {
        "{} {}{}, and `{}` refuses unknown fields (`deny_unknown_fields`)",
            origin, what.as_str(), place, strict;
        help: "remove `deny_unknown_fields` from `{}`{}", strict, field.as_str()
    }
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
pub(super) const fn length(most: u64, of: &Shape) -> Option<Misfit> {
    match of.kind {
        Kind::String { max_len: Some(longest) } if longest <= most => None,
        Kind::String { max_len } => Some(Misfit::Length(max_len, most)),
        Kind::Enum(variants) => {
            each!(for variant in variants {
                let length = variant.len() as u64;
                if length > most {
                    return Some(Misfit::Length(Some(length), most));
                }
            });
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
    each!(for known in names {
        if str_eq(known, name) {
            return true;
        }
    });
    false
}
