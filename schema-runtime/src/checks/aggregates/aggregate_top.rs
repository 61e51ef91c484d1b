//! Rule: `aggregate_top`. The page is `guide/pages/rules/aggregate_top.md`.

use super::source::Source;
use crate::{
    checks::fields::{
        field_type::{self, kind},
        hidden_field, unknown_field,
    },
    definition::{FieldDefinition, Kind, ModelDefinition, Shape, dotted, each, refuse, str_eq},
};

/// Judges the struct into which `top` reads the documents.
#[track_caller]
pub(in crate::checks) const fn enforce_rows(
    model: &ModelDefinition,
    unwind: &'static [&'static [&'static str]],
    list: &Shape,
    fields: &'static [FieldDefinition],
) {
    if let Kind::Array { items, .. } = list.kind
        && let Kind::Document { name, .. } = items.kind
    {
        each!(for field in fields {
            let stored = unknown_field::enforce_projection(model, name, field);
            hidden_field::enforce_projection(name, field, stored);
            enforce_whole(model, unwind, name, stored);
            field_type::enforce_projection(model, field, stored);
        });
    }
}

/// Refuses an array of which a document has a single element, since the array is unwound.
#[track_caller]
const fn enforce_whole(
    model: &ModelDefinition,
    unwind: &'static [&'static [&'static str]],
    view: &str,
    stored: &FieldDefinition,
) {
    each!(for path in unwind {
        if str_eq(path[0], stored.rust_name) {
            refuse! {
                "`{}` has the field `{}`, and the aggregation unwinds `{}.{}`: each document has a single element",
                    view, stored.name, model.model, dotted(path).as_str();
                help: "remove the field from `{}`; `collect(..)` lists single values of the elements", view
            }
        }
    });
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
