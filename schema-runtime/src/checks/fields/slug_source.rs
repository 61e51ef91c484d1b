//! Rule: `slug_source`. The page is `guide/pages/rules/slug_source.md`.
//!
//! The half of the rule that knows the types: a slug is text, made from text.

use super::field_type::kind;
use crate::{
    definition::{FieldDefinition, Form, Kind, find, last_segment, refuse},
    field::Record,
};

/// Refuses a slug that is not a string.
#[track_caller]
pub(in crate::checks) const fn enforce_text(field: &FieldDefinition) {
    if field.slug.is_some() && !matches!(field.shape.kind, Kind::String { .. }) {
        refuse! {
            "`{}` is {}, and a slug is a text for addresses", field.rust_name, kind(&field.shape);
            help: "write `{}: String`", field.rust_name
        }
    }
    if let (Some(_), Some(declared)) = (field.slug, field.shape.stored_as) {
        refuse! {
            "`{}` is of type `{}`, which may refuse a slug", field.rust_name, last_segment(declared.name);
            help: "write `{}: String`", field.rust_name
        }
    }
    if let (Some(_), Some(Form { name, .. })) = (field.slug, field.shape.form) {
        refuse! {
            "`{}` is of type `{}`, which cannot read every slug", field.rust_name, *name;
            help: "write `{}: String`", field.rust_name
        }
    }
}

/// Judges a field with `#[slug(..)]`.
#[track_caller]
pub const fn slug_source<R: Record>(at: usize) {
    let slug = &R::FIELDS[at];
    let Some(made) = slug.slug else { return };
    let from = made.from;
    if slug.shape.nullable || !slug.required {
        refuse! {
            "`{}` may be null or absent, and each document has a slug", slug.rust_name;
            help: "make the field a `String`; an insert with an empty `String` makes the slug"
        }
    }
    let Some(field) = find(R::FIELDS, from) else { return };
    let fits = matches!(field.shape.kind, Kind::String { .. }) && !field.shape.nullable && field.required;
    if !fits {
        refuse! {
            "`{}.{}` is {}{}, and a slug is made from a `String` that every document has",
                R::STRUCT, from, kind(&field.shape),
                if field.shape.nullable || !field.required { " that may be null or absent" } else { "" };
            help: "name the field with the name or the title: `from = name`"
        }
    }
}
