//! Rule: `aggregate_top`. The page is `guide/pages/rules/aggregate_top.md`.

use super::source::Source;
use crate::{
    checks::fields::{
        field_type::{self, kind},
        hidden_field, unknown_field,
    },
    definition::{FieldDefinition, Kind, ModelDefinition, Shape, dotted, each, refuse},
};

/// Judges the struct into which `top` reads the documents.
#[track_caller]
pub(in crate::checks) const fn enforce_rows(model: &ModelDefinition, list: &Shape, fields: &'static [FieldDefinition]) {
    if let Kind::Array { items, .. } = list.kind
        && let Kind::Document { name, .. } = items.kind
    {
        each!(for field in fields {
            let stored = unknown_field::enforce_projection(model, name, field);
            hidden_field::enforce_projection(name, field, stored);
            field_type::enforce_projection(model, field, stored);
        });
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_order(model: &ModelDefinition, path: &[&str], source: &Source) {
    if !matches!(source.shape.kind, Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_)) {
        refuse! {
            "`{}.{}` is {}, and an order needs a single value",
                model.model, dotted(path).as_str(), kind(&source.shape);
            help: "order by a field that is a number, a string, a bool, a date or an id"
        }
    }
}
