//! Views of the groups of an aggregation.

use super::{is_judged, judge, judge_flat, judge_renamed, view_of};
use crate::{
    checks::fields::{field_type, unknown_field},
    definition::{
        FieldDefinition, Groups, KeyForm, Kind, ModelDefinition, Text, each, find_stored, refuse, str_eq, text,
    },
    model::{Aggregate, AggregateSource, GroupsOf, Model, ViewOfGroups},
};

/// Judges the aggregation of the view `V` of the source `S`.
#[track_caller]
pub const fn view_groups<V: ViewOfGroups, S: Model>() {
    let (groups, source) =
        (&<GroupsOf<V> as Aggregate>::ALL, <<GroupsOf<V> as AggregateSource>::Of as Model>::DEFINITION);
    if !<GroupsOf<V> as AggregateSource>::DOCUMENTS.whole || !source.whole || !is_judged(S::DEFINITION) {
        return;
    }
    if !str_eq(source.collection, S::DEFINITION.collection) || !str_eq(source.model, S::DEFINITION.model) {
        refuse! {
            "`{}` is an aggregation of `{}`, and the view shows documents of `{}`",
                groups.result, source.model, S::DEFINITION.model;
            help: "write `view(of = {}, aggregate = {})`", source.model, groups.result
        }
    }
    enforce_zone(groups);
    enforce_key::<GroupsOf<V>>(groups);
    enforce_values::<V, GroupsOf<V>>(groups);
}

/// Judges field number `at` of the view `V`, a value of the aggregation.
#[track_caller]
pub const fn view_value<V: ViewOfGroups>(at: usize) {
    judge(V::STRUCT, &V::FIELDS[at], GroupsOf::<V>::DOCUMENTS);
}

/// Judges field number `at` of the view `V`, a value of the aggregation by renaming number `number`.
#[track_caller]
pub const fn view_renamed_value<V: ViewOfGroups>(at: usize, number: usize) {
    judge_renamed::<V>(at, number, GroupsOf::<V>::DOCUMENTS);
}

/// Judges the fields of the flat field `name` of the view `V`, values of the aggregation.
#[track_caller]
pub const fn view_flat_value<V: ViewOfGroups>(name: &'static str) {
    judge_flat::<V>(name, GroupsOf::<V>::DOCUMENTS);
}

/// Judges the `_id`, field number `at` of the view `V`: the key of the groups of the aggregation, or a struct of
/// the keys.
#[track_caller]
pub const fn view_key<V: ViewOfGroups>(at: usize) {
    let (id, groups, result) = (&V::FIELDS[at], &<GroupsOf<V> as Aggregate>::ALL, GroupsOf::<V>::DOCUMENTS);
    let keys = groups.definition.keys;
    if !result.whole || keys.is_empty() {
        return;
    }
    let Kind::Document { name, fields, .. } = id.shape.kind else {
        let key = &groups.fields[keys[0].field];
        if keys.len() > 1 || key.shape.nullable {
            let why = match keys.len() {
                1 => text!("a group of `{}` may have no `{}`", groups.result, key.rust_name),
                _ => text!("a group of `{}` has several keys", groups.result),
            };
            refuse! {
                "{}, and the `_id` of the view is {}", why.as_str(), field_type::kind(&id.shape);
                help: "write a struct of the keys with `#[derive(Embed, Serialize, Deserialize, Clone)]`: {}", list(groups).as_str()
            }
        }
        field_type::enforce_projection(result, id, key);
        return;
    };
    each!(for part in fields {
        let stored = unknown_field::enforce_projection(result, name, part);
        if !is_key(groups, stored) {
            refuse! {
                "`{}.{}` is a value of the group, and the `_id` of a view is a struct of the keys", name, part.rust_name;
                help: "write the keys in `{}`: {}", name, list(groups).as_str()
            }
        }
        field_type::enforce_projection(result, part, stored);
    });
    each!(for key in keys {
        if find_stored(fields, groups.fields[key.field].name).is_none() {
            refuse! {
                "`{}` has no field `{}`, a key of `{}`: two groups would have one `_id`",
                    name, groups.fields[key.field].rust_name, groups.result;
                help: "write the keys in `{}`: {}", name, list(groups).as_str()
            }
        }
    });
}

/// Refuses a period in the time zone of the call: nobody gives a zone to a view.
#[track_caller]
const fn enforce_zone(groups: &Groups) {
    each!(for key in groups.definition.keys {
        if let KeyForm::Period { zone: None, .. } = key.form {
            refuse! {
                "`{}.{}` is in the time zone of each call, and the pipeline of a view has one time zone",
                    groups.result, groups.fields[key.field].rust_name;
                help: "write the time zone in the key, as `tz = \"Europe/Oslo\"`"
            }
        }
    });
    if let Some(of) = groups.of {
        enforce_zone(of);
    }
}

/// Requires a key, which is the `_id`.
#[track_caller]
const fn enforce_key<A: Aggregate>(groups: &Groups) {
    if groups.definition.keys.is_empty() {
        refuse! {
            "`{}` has no key, and the `_id` of a view of groups is the key", A::STRUCT;
            help: "write `#[aggregate(.., by(..))]`, or call `aggregate::<{}>()` without a view", A::STRUCT
        }
    }
    if let Some(id) = find_stored(groups.fields, "_id")
        && !(groups.definition.keys.len() == 1 && is_key(groups, id))
    {
        refuse! {
            "`{}.{}` is stored as `_id`, and the `_id` of a view of groups is the key", A::STRUCT, id.rust_name;
            help: "remove `#[serde(rename = \"_id\")]` from `{}.{}`", A::STRUCT, id.rust_name
        }
    }
}

/// Requires each value of the groups in the view. A field of the view that the groups do not have has a message of its
/// own.
#[track_caller]
const fn enforce_values<V: Model, A: Aggregate>(groups: &Groups) {
    each!(for field in V::FIELDS {
        if !is_found::<V>(field, A::DOCUMENTS) {
            return;
        }
    });
    each!(for value in groups.definition.values {
        let value = &groups.fields[value.field];
        if !is_shown::<V>(value) {
            refuse! {
                "`{}` has the value `{}`, and the view `{}` has no such field",
                    A::STRUCT, value.rust_name, V::STRUCT;
                help: "write the field `{}` in `{}`, with the type of the field in `{}`", value.rust_name, V::STRUCT, A::STRUCT
            }
        }
    });
}

/// Returns whether the groups have the field of the view.
const fn is_found<V: Model>(field: &FieldDefinition, result: &ModelDefinition) -> bool {
    str_eq(field.name, "_id")
        || view_of::<V>().renamed(field).is_some()
        || find_stored(result.fields, field.name).is_some()
}

/// Returns whether a field of the view shows the value.
const fn is_shown<V: Model>(value: &FieldDefinition) -> bool {
    each!(for field in V::FIELDS {
        let is_same = match view_of::<V>().renamed(field) {
            Some(renamed) => str_eq(renamed.from[0], value.rust_name),
            None => str_eq(field.name, value.name),
        };
        if is_same {
            return true;
        }
    });
    false
}

/// Returns whether a field of the groups is a key.
const fn is_key(groups: &Groups, field: &FieldDefinition) -> bool {
    each!(for key in groups.definition.keys {
        if str_eq(groups.fields[key.field].rust_name, field.rust_name) {
            return true;
        }
    });
    false
}

/// Returns the keys of the groups as text.
const fn list(groups: &Groups) -> Text {
    let (mut text, mut separator) = (text!(""), "");
    each!(for key in groups.definition.keys {
        text.push(text!("{}`{}`", separator, groups.fields[key.field].rust_name).as_str());
        separator = ", ";
    });
    text
}
