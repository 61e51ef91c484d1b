//! Rule: `aggregate_lookup`. The page is `guide/pages/rules/aggregate_lookup.md`.

use crate::definition::{Groups, KeyForm, Kind, ModelDefinition, dotted, each, find_relation, refuse, resolve, str_eq};

#[track_caller]
pub(in crate::checks) const fn enforce(groups: &Groups, documents: &ModelDefinition, name: &str) {
    each!(for key in groups.definition.keys {
        if str_eq(groups.fields[key.field].rust_name, name) {
            if !matches!(key.form, KeyForm::Value) || key.path.len() > 1 {
                refuse! {
                    "the key `{}` is no reference of the document", name;
                    help: "name a key by a field with a `Ref<..>`"
                }
            }
            if !is_reference(documents, groups.of, key.path[0]) {
                refuse! {
                    "`{}.{}` is no reference", documents.model, key.path[0];
                    help: "name a key by a field with `#[relation(.., parent_ref)]`"
                }
            }
            return;
        }
    });
    refuse! {
        "`{}` is no key of the groups, and a group has no single document to look up", name;
        help: "add `{}` to `by(..)`", name
    }
}

/// Returns whether the field is a reference of a model, or a key of another aggregation: the type of such a key says
/// that the key is a reference.
const fn is_reference(documents: &ModelDefinition, groups: Option<&Groups>, name: &str) -> bool {
    if let Some(groups) = groups {
        each!(for key in groups.definition.keys {
            if str_eq(groups.fields[key.field].rust_name, name) {
                return matches!(key.form, KeyForm::Value) && key.path.len() == 1;
            }
        });
    }
    find_relation(documents.relations, name).is_some()
}

/// Requires that the key of the result refers to the model to which the field of the documents refers.
#[track_caller]
pub(in crate::checks) const fn enforce_reference(
    groups: &Groups,
    documents: &ModelDefinition,
    name: &str,
    target: &ModelDefinition,
) {
    each!(for key in groups.definition.keys {
        if str_eq(groups.fields[key.field].rust_name, name)
            && let Some(relation) = find_relation(documents.relations, key.path[0])
            && let Some(of) = &relation.target
            && !str_eq(of.name, target.name)
        {
            refuse! {
                "`{}.{}` refers to `{}`, and the key `{}` of the result refers to `{}`",
                    documents.model, key.path[0], of.name, name, target.name;
                help: "write the type of `{}.{}`", documents.model, key.path[0]
            }
        }
    });
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
