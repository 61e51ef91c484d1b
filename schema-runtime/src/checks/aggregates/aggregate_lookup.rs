//! Rule: `aggregate_lookup`
//!
//! `#[lookup(customer.name)]` reads a field of the document that a key of the groups refers to: `customer` is a key by
//! a field with a single reference, and `name` is a field of the referenced model. The documents are read after the
//! limit, so that few documents are read.
//!
//! Source: MongoDB, "`$lookup`".

use crate::definition::{
    AggregateDefinition, FieldDefinition, KeyForm, Kind, ModelDefinition, dotted, each, find_relation, refuse, resolve,
    str_eq,
};

#[track_caller]
pub(in crate::checks) const fn enforce(
    fields: &'static [FieldDefinition],
    definition: &AggregateDefinition,
    model: &ModelDefinition,
    name: &str,
    path: &[&str],
) {
    each!(for key in definition.keys {
        if str_eq(fields[key.field].rust_name, name) {
            if !matches!(key.form, KeyForm::Value) || key.path.len() > 1 {
                refuse! {
                    "the key `{}` is no reference of the document", name;
                    help: "name a key by a field with a `Ref<..>`"
                }
            }
            if find_relation(model.relations, key.path[0]).is_none() {
                refuse! {
                    "`{}.{}` is no reference", model.model, key.path[0];
                    help: "name a key by a field with `#[relation(.., parent_ref)]`"
                }
            }
            return;
        }
    });
    let _ = path;
    refuse! {
        "`{}` is no key of the groups, and a group has no single document to look up", name;
        help: "add `{}` to `by(..)`", name
    }
}

/// Judges the path in the referenced model.
#[track_caller]
pub(in crate::checks) const fn enforce_target(target: &ModelDefinition, path: &[&str]) {
    if !target.whole {
        return;
    }
    super::aggregate_field::enforce(target, path);
    let Some(found) = resolve(target.fields, path) else { return };
    if found.array_at > 0 || matches!(found.shape.kind, Kind::Array { .. } | Kind::Document { .. }) {
        refuse! {
            "`{}.{}` is no single value", target.model, dotted(path).as_str();
            help: "look up a number, a string, an enum, a bool, a date or an id"
        }
    }
}
