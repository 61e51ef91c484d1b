//! Rule: `hidden_field`. The page is `guide/pages/rules/hidden_field.md`.
//!
//! The half of the rule that knows the models behind copies, rollups, orders and projections.

use crate::{
    definition::{
        CopyDefinition, FieldDefinition, ModelDefinition, OrderKey, RollupDefinition, each, find, find_stored, refuse,
        str_eq,
    },
    model::Model,
};

/// Refuses a copy of a hidden field.
#[track_caller]
pub(in crate::checks) const fn enforce_copy(source: &ModelDefinition, copy: &CopyDefinition) {
    if is_hidden(source.fields, copy.from[0]) {
        refuse! {
            "`{}.{}` is hidden, and each read of a holder would send the copy `{}`",
                source.model, copy.from[0], copy.field;
            help: "remove this field, and read the value from the source"
        }
    }
}

/// Refuses copies in the struct of a hidden field.
#[track_caller]
pub(in crate::checks) const fn enforce_held(field: &FieldDefinition, copy: &CopyDefinition) {
    if field.hidden {
        refuse! {
            "`{}` is hidden and holds the copy `{}`, and this crate reads a copy to write the copy anew",
                field.rust_name, copy.field;
            help: "remove `#[hidden]`, and write the type without `Hidden<..>`; or remove the `#[denormalize(..)]`"
        }
    }
}

/// Refuses a value that a parent computes from a hidden field of the children.
#[track_caller]
pub(in crate::checks) const fn enforce_rollup<P: Model, C: Model>(rollup: &RollupDefinition, field: &str) {
    if is_hidden(C::FIELDS, field) {
        refuse! {
            "`{}.{}` is hidden, and `{}.{}` would show the values to each read of the parent",
                C::STRUCT, field, P::STRUCT, rollup.field;
            help: "name a field that each read gets"
        }
    }
}

/// Refuses elements of a subset that hold a hidden field of the children.
#[track_caller]
pub(in crate::checks) const fn enforce_elements<P: Model, C: Model>(
    rollup: &RollupDefinition,
    order: &[OrderKey],
    element: &str,
    fields: &[FieldDefinition],
) {
    each!(for field in fields {
        if let Some(source) = find_stored(C::FIELDS, field.name)
            && source.hidden
            && !is_among(order, source.rust_name)
        {
            refuse! {
                "`{}.{}` is hidden, and `{}.{}` would show the values to each read of the parent",
                    C::STRUCT, source.rust_name, P::STRUCT, rollup.field;
                help: "remove `{}` from `{}`", field.rust_name, element
            }
        }
    });
}

/// Refuses a hidden field in the order of a relation.
#[track_caller]
pub(in crate::checks) const fn enforce_order(model: &ModelDefinition, field: &str) {
    if is_hidden(model.fields, field) {
        refuse! {
            "`{}.{}` is hidden, and the order of the documents, or a page token, would show the value",
                model.model, field;
            help: "order by a field that each read gets"
        }
    }
}

/// Requires that a projection reads a hidden field as a hidden field.
#[track_caller]
pub(in crate::checks) const fn enforce_projection(projection: &str, field: &FieldDefinition, source: &FieldDefinition) {
    if source.hidden && !field.hidden {
        refuse! {
            "`{}` reads the hidden field `{}`, and `Debug` and JSON of the projection would show the value",
                projection, field.rust_name;
            help: "write `#[hidden] {}: Hidden<..>`, as in the model", field.rust_name
        }
    }
}

/// Refuses a hidden field in a key or a value of an aggregation.
#[track_caller]
pub(in crate::checks) const fn enforce_aggregate(model: &ModelDefinition, field: &str) {
    if is_hidden(model.fields, field) {
        refuse! {
            "`{}.{}` is hidden, and the groups of an aggregation would show the values", model.model, field;
            help: "name a field that each read gets"
        }
    }
}

const fn is_hidden(fields: &'static [FieldDefinition], name: &str) -> bool {
    match find(fields, name) {
        Some(field) => field.hidden,
        None => false,
    }
}

const fn is_among(order: &[OrderKey], field: &str) -> bool {
    each!(for key in order {
        if str_eq(key.field, field) {
            return true;
        }
    });
    false
}
