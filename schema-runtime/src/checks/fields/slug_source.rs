//! Rule: `slug_source`
//!
//! The half of the rule that knows the types: a slug is text, made from text.

use super::field_type::kind;
use crate::{
    definition::{FieldDefinition, Kind, Message, find},
    field::Record,
};

/// Refuses a slug that is not a string.
#[track_caller]
pub(in crate::checks) const fn enforce_text(field: &FieldDefinition) {
    if field.slug.is_some() && !matches!(field.shape.kind, Kind::String { .. }) {
        Message::new()
            .code(field.rust_name)
            .text(" is ")
            .text(kind(&field.shape))
            .texts(&[", and a slug is a text for addresses\nhelp: write `", field.rust_name, ": String`"])
            .text("\nrule: slug_source")
            .fail()
    }
}

/// Judges a field with `#[slug(..)]`.
#[track_caller]
pub const fn slug_source<R: Record>(at: usize) {
    let slug = &R::FIELDS[at];
    let Some(made) = slug.slug else { return };
    let from = made.from;
    if slug.shape.nullable || !slug.required {
        Message::new()
            .code(slug.rust_name)
            .text(" may be null or absent, and each document has a slug\nhelp: make it a `String`; an insert that leaves it empty makes it\nrule: slug_source")
            .fail()
    }
    let Some(field) = find(R::FIELDS, from) else { return };
    let fits = matches!(field.shape.kind, Kind::String { .. }) && !field.shape.nullable && field.required;
    if !fits {
        Message::new()
            .field(R::STRUCT, &[from])
            .text(" is ")
            .text(kind(&field.shape))
            .text(if field.shape.nullable || !field.required { " that may be null or absent" } else { "" })
            .text(", and a slug is made from a `String` that every document has\nhelp: name the field with the name or the title: `from = name`\nrule: slug_source")
            .fail()
    }
}
