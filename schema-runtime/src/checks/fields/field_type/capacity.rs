//! The check that a field in which a parent keeps a child's value can hold every value of the child. Otherwise the
//! parent would refuse a value that the child has taken.

use super::copy::{Misfit, elements, length};
use crate::definition::{FieldDefinition, Kind, ModelDefinition, Shape, digits, each, find_stored, refuse, text};

/// Judges a field of the elements of a subset, with the name of their struct.
#[track_caller]
pub(in crate::checks) const fn enforce_capacity(
    child: &ModelDefinition,
    (element, field): (&str, &FieldDefinition),
    source: &FieldDefinition,
) {
    if field.required && !source.required {
        refuse! {
            "`{}.{}` may be absent, and `{}.{}` may not", child.model, source.rust_name, element, field.rust_name;
            help: "make `{}.{}` an `Option`, or write `#[serde(default)]` on the field", element, field.rust_name
        }
    }
    if let Some(misfit) = too_small(&field.shape, &source.shape) {
        let name = text!("`{}.{}`", element, field.rust_name);
        fail(&misfit, (child.model, source.rust_name), name.as_str())
    }
}

/// Judges the least or the greatest of the values of a child's field.
#[track_caller]
pub(in crate::checks) const fn enforce_capacity_of_value(value: &Shape, (child, of): (&str, &str), source: &Shape) {
    if let Some(misfit) = too_small(value, source) {
        fail(&misfit, (child, of), "this field")
    }
}

/// Returns the excess that a value stored as `source` may have for `view`.
const fn too_small(view: &Shape, source: &Shape) -> Option<Misfit> {
    if let Some(rule) = view.rules.beyond(&source.rules) {
        return Some(Misfit::Rule(rule.name()));
    }
    match (view.kind, source.kind) {
        // An enum is read by an enum with the same bounds only.
        (Kind::Document { .. }, _) if view.variants.is_some() => None,
        (Kind::String { max_len: Some(most) }, _) => length(most, source),
        (Kind::Array { items: view, max, .. }, Kind::Array { items: source, max: most, .. })
        | (Kind::Map { values: view, max }, Kind::Map { values: source, max: most }) => match elements(max, most) {
            Some(misfit) => Some(misfit),
            None => too_small(view, source),
        },
        (Kind::Document { fields: view, .. }, Kind::Document { fields: source, .. }) => {
            each!(for part in view {
                if let Some(field) = find_stored(source, part.name)
                    && let Some(misfit) = too_small(&part.shape, &field.shape)
                {
                    return Some(misfit);
                }
            });
            None
        }
        _ => None,
    }
}

#[track_caller]
const fn fail(misfit: &Misfit, (child, of): (&str, &str), name: &str) {
    match *misfit {
        Misfit::Length(Some(longest), max_len) => {
            let longest = digits(longest);
            refuse! {
                "`{}.{}` may have {} code points, and {} holds at most {}: a parent would refuse a value that a child has stored",
                    child, of, longest.as_str(), name, digits(max_len).as_str();
                help: "write `max_len = {}` on {}", longest.as_str(), name
            }
        }
        Misfit::Length(None, max_len) => {
            let max_len = digits(max_len);
            refuse! {
                "`{}.{}` has no `max_len`, and {} holds at most {} code points: a parent would refuse a value that a child has stored",
                    child, of, name, max_len.as_str();
                help: "write `#[bound(max_len = {})]` in `{}` too, or remove the bound of {}", max_len.as_str(), child, name
            }
        }
        Misfit::Elements(most, max) => {
            let most = digits(most);
            refuse! {
                "`{}.{}` may hold {} elements, and {} holds at most {}: a parent would refuse a value that a child has stored",
                    child, of, most.as_str(), name, digits(max).as_str();
                help: "write `max_items = {}` on {}", most.as_str(), name
            }
        }
        Misfit::Rule(word) => refuse! {
            "the type of {} has the rule `{}` of `#[check(..)]`, and `{}.{}` does not: a parent would refuse a value that a child has stored",
                name, word, child, of;
            help: "write the rule on `{}.{}`, too", child, of
        },
        // Another check refuses a value of another type.
        _ => {}
    }
}
