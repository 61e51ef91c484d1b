//! The check that a field in which a parent keeps a child's value can hold every value of the child. Otherwise the parent would refuse a
//! value that the child has taken.

use super::copy::{Misfit, elements, text};
use crate::definition::{FieldDefinition, Kind, Message, ModelDefinition, Shape, find_stored};

/// Judges a field of the elements of a subset, with the name of their struct.
#[track_caller]
pub(in crate::checks) const fn enforce_capacity(
    child: &ModelDefinition,
    (element, field): (&str, &FieldDefinition),
    source: &FieldDefinition,
) {
    let origin = Message::new().field(child.model, &[source.rust_name]);
    if field.required && !source.required {
        origin
            .text(" may be absent, and ")
            .field(element, &[field.rust_name])
            .text(" may not\nhelp: make ")
            .field(element, &[field.rust_name])
            .text(" an `Option`, or write `#[serde(default)]` on it\nrule: field_type")
            .fail()
    }
    if let Some(misfit) = too_small(&field.shape, &source.shape) {
        let name = Message::new().field(element, &[field.rust_name]);
        fail(&misfit, &origin, &name, child.model)
    }
}

/// Judges the least or the greatest of the values of a child's field.
#[track_caller]
pub(in crate::checks) const fn enforce_capacity_of_value(value: &Shape, (child, of): (&str, &str), source: &Shape) {
    if let Some(misfit) = too_small(value, source) {
        fail(&misfit, &Message::new().field(child, &[of]), &Message::new().text("this field"), child)
    }
}

/// Returns the excess that a value stored as `source` may have for `view`.
const fn too_small(view: &Shape, source: &Shape) -> Option<Misfit> {
    match (view.kind, source.kind) {
        // An enum is read by an enum with the same bounds only.
        (Kind::Document { .. }, _) if view.variants.is_some() => None,
        (Kind::String { max_len: Some(most) }, _) => text(most, source),
        (Kind::Array { items: view, max, .. }, Kind::Array { items: source, max: most, .. })
        | (Kind::Map { values: view, max }, Kind::Map { values: source, max: most }) => match elements(max, most) {
            Some(misfit) => Some(misfit),
            None => too_small(view, source),
        },
        (Kind::Document { fields: view, .. }, Kind::Document { fields: source, .. }) => {
            let mut at = 0;
            while at < view.len() {
                if let Some(field) = find_stored(source, view[at].name)
                    && let Some(misfit) = too_small(&view[at].shape, &field.shape)
                {
                    return Some(misfit);
                }
                at += 1;
            }
            None
        }
        _ => None,
    }
}

#[track_caller]
const fn fail(misfit: &Misfit, origin: &Message, name: &Message, child: &str) {
    let message = Message::new().message(origin);
    let message = match *misfit {
        Misfit::Length(Some(longest), max_len) => message
            .text(" may have ")
            .number(longest)
            .text(" code points, and ")
            .message(name)
            .text(" holds at most ")
            .number(max_len)
            .text(": a parent would refuse what its child has stored\nhelp: write `max_len = ")
            .number(longest)
            .text("` on ")
            .message(name),
        Misfit::Length(None, max_len) => message
            .text(" has no `max_len`, and ")
            .message(name)
            .text(" holds at most ")
            .number(max_len)
            .text(" code points: a parent would refuse what its child has stored\nhelp: give it `#[bound(max_len = ")
            .number(max_len)
            .text(")]` in ")
            .code(child)
            .text(" too, or remove that of ")
            .message(name),
        Misfit::Elements(most, max) => message
            .text(" may hold ")
            .number(most)
            .text(" elements, and ")
            .message(name)
            .text(" holds at most ")
            .number(max)
            .text(": a parent would refuse what its child has stored\nhelp: write `max_items = ")
            .number(most)
            .text("` on ")
            .message(name),
        // Another check refuses a value of another type.
        _ => return,
    };
    message.text("\nrule: field_type").fail()
}
