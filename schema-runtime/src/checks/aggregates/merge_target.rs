//! Rule: `merge_target`. The page is `guide/pages/rules/merge_target.md`.

use super::aggregate_type::result::same;
use crate::{
    checks::fields::field_type::kind,
    definition::{
        CollectionKind, Direction, FieldDefinition, Groups, IndexDefinition, IndexKind, Kind, ManagedAs,
        ModelDefinition, Scalar, Shape, ValueKind, ValueRule, ValueRules, each, find, find_stored, refuse, str_eq,
    },
};

#[track_caller]
pub(in crate::checks) const fn enforce(groups: &Groups, of: &ModelDefinition, report: &ModelDefinition) {
    enforce_collection(of, report);
    if groups.definition.is_of_parents() {
        refuse! {
            "`{}` has values of children, which no single command of the server computes", groups.result;
            help: "remove `into`, read the rows, and write each document with `save`"
        }
    }
    if groups.definition.keys.is_empty() {
        refuse! {
            "`{}` has no keys, and no key names the document of a group", groups.result;
            help: "add `by(..)`, or read the group and write the document with `save`"
        }
    }
    enforce_fields(groups, report);
    enforce_keys(groups, report);
}

/// Judges the collection, and the work that this crate does in each write of the model.
#[track_caller]
const fn enforce_collection(of: &ModelDefinition, report: &ModelDefinition) {
    if let Some(why) = unmergeable(report) {
        refuse! {
            "`{}` {}, and the server writes merged groups without this crate", report.model, why;
            help: "name a model of a plain collection, without derived data, versions and histories"
        }
    }
    if str_eq(of.collection, report.collection) {
        refuse! {
            "`{}` stores the documents of the groups, and merged groups would replace the documents", report.model;
            help: "name a model with a collection of its own"
        }
    }
    if of.options.collation.is_some() || report.options.collation.is_some() {
        let collated = if of.options.collation.is_some() { of.model } else { report.model };
        refuse! {
            "`{}` has a collation, and merged groups have the keys of a comparison by bytes", collated;
            help: "remove `collation` from the model, or read the groups and write each group with `save`"
        }
    }
}

/// Returns the reason why the server may not write documents of the model.
const fn unmergeable(report: &ModelDefinition) -> Option<&'static str> {
    Some(match report.options.kind {
        CollectionKind::View(_) => "is a view",
        CollectionKind::TimeSeries(_) => "is a time series",
        CollectionKind::Capped { .. } => "is a capped collection",
        _ if report.bucket.is_some() || report.document.is_some() => "is in buckets",
        _ if report.variants.is_some() => "is an enum",
        _ if report.read_only => "is `read_only`",
        _ if report.insert_only => "is `insert_only`",
        _ if report.extra.are_kept() => "keeps further fields in `#[extra]`",
        _ if report.has_copies() => "has copies",
        _ if report.has_rollups() => "has rollups",
        _ if report.has_links() => "has a relation with two ends",
        _ if report.has_tree() => "is a tree",
        _ if report.has_delete_rules() => "has a delete rule",
        _ if report.has_slugs() => "has a slug",
        _ if report.managed().version.is_some() => "has a version",
        _ => return None,
    })
}

#[track_caller]
const fn enforce_fields(groups: &Groups, report: &ModelDefinition) {
    each!(for field in groups.fields {
        let Some(stored) = find_stored(report.fields, field.name) else {
            refuse! {
                "`{}` has no field `{}`, which `{}` has", report.model, field.name, groups.result;
                help: "add the field to `{}`, with the type of the field of `{}`", report.model, groups.result
            }
        };
        enforce_field(groups, report, field, stored);
    });
    each!(for stored in report.fields {
        let is_filled = find_stored(groups.fields, stored.name).is_some();
        if !is_filled && str_eq(stored.name, "_id") {
            if !matches!(stored.shape.kind, Kind::Scalar(Scalar::ObjectId)) {
                refuse! {
                    "`{}.{}` is {}, and the server gives a new document an `ObjectId`",
                        report.model, stored.rust_name, kind(&stored.shape);
                    help: "make `{}` an `ObjectId`, or the only key of `{}`", stored.rust_name, groups.result
                }
            }
        } else if !is_filled && !is_timestamp(stored) {
            refuse! {
                "`{}.{}` is no field of `{}`, and a merged group replaces the whole document",
                    report.model, stored.rust_name, groups.result;
                help: "remove the field from `{}`, or add a value to `{}`", report.model, groups.result
            }
        }
    });
}

/// Returns whether this crate sets the field to the time of the write.
const fn is_timestamp(field: &FieldDefinition) -> bool {
    matches!(field.managed, Some(ManagedAs::CreatedAt | ManagedAs::UpdatedAt))
}

#[track_caller]
const fn enforce_field(
    groups: &Groups,
    report: &ModelDefinition,
    field: &FieldDefinition,
    stored: &'static FieldDefinition,
) {
    if !fits(&stored.shape, &field.shape) {
        refuse! {
            "`{}.{}` is {}{}, and `{}.{}` is {}{}",
                report.model, stored.rust_name, kind(&stored.shape), null(&stored.shape),
                groups.result, field.rust_name, kind(&field.shape), null(&field.shape);
            help: "give both fields the same type"
        }
    }
    if is_timestamp(stored) || stored.history.is_some() || stored.immutable || is_judged(&stored.shape.rules) {
        refuse! {
            "`{}.{}` has an attribute for the writes of this crate, and the server writes merged groups",
                report.model, stored.rust_name;
            help: "remove `#[updated_at]`, `#[created_at]`, `#[history]`, `#[immutable]` or `with = ..` from the field"
        }
    }
    if let (Some(most), Kind::Array { max: Some(max), .. }) = (most_of(groups, field.name), stored.shape.kind)
        && max < most
    {
        refuse! {
            "`{}.{}` takes fewer elements than `{}.{}` has",
                report.model, stored.rust_name, groups.result, field.rust_name;
            help: "give both fields the same number"
        }
    }
}

const fn null(shape: &Shape) -> &'static str {
    if shape.nullable { " or null" } else { "" }
}

/// Returns whether a function of the user judges the value: the server does not know such a rule.
const fn is_judged(rules: &ValueRules) -> bool {
    let (of_collection, of_values) = (rules.own(0), rules.own(1));
    each!(for rule in of_collection {
        if let ValueRule::With(_) = rule {
            return true;
        }
    });
    each!(for rule in of_values {
        if let ValueRule::With(_) = rule {
            return true;
        }
    });
    match rules.of_type() {
        Some(rules) => is_judged(rules),
        None => false,
    }
}

/// Returns the most elements of a list of the groups.
const fn most_of(groups: &Groups, name: &str) -> Option<u64> {
    each!(for value in groups.definition.values {
        if str_eq(groups.fields[value.field].name, name) {
            return match value.kind {
                ValueKind::Top { most, .. } => Some(most),
                ValueKind::Collect { max, .. } => Some(max),
                _ => None,
            };
        }
    });
    None
}

/// Returns whether a stored field holds each value of a field of the groups.
const fn fits(stored: &Shape, value: &Shape) -> bool {
    if stored.nullable != value.nullable {
        return false;
    }
    match (stored.kind, value.kind) {
        (Kind::Array { items, .. }, Kind::Array { items: values, .. }) => !stored.set && fits(items, values),
        (Kind::Document { fields: stored, .. }, Kind::Document { fields: values, .. }) => {
            each!(for value in values {
                let Some(field) = find_stored(stored, value.name) else { return false };
                if !fits(&field.shape, &value.shape) {
                    return false;
                }
            });
            each!(for field in stored {
                if field.required && find_stored(values, field.name).is_none() {
                    return false;
                }
            });
            true
        }
        _ => same(stored, value),
    }
}

#[track_caller]
const fn enforce_keys(groups: &Groups, report: &ModelDefinition) {
    let keys = groups.definition.keys;
    each!(for key in keys {
        let field = &groups.fields[key.field];
        if field.shape.nullable {
            refuse! {
                "the key `{}.{}` may be null, and the server merges no group with such a key",
                    groups.result, field.rust_name;
                help: "group by a field that is no `Option`, and not by `ranges`"
            }
        }
    });
    enforce_shard_key(groups, report);
    let by_id = find_stored(groups.fields, "_id").is_some();
    if by_id {
        if keys.len() != 1 || !str_eq(groups.fields[keys[0].field].name, "_id") {
            refuse! {
                "`_id` is not the only key of `{}`, and a merged group replaces the document with the same keys",
                    groups.result;
                help: "rename the field, or make the field the only key"
            }
        }
        if matches!(report.options.kind, CollectionKind::Clustered { .. }) {
            refuse! {
                "`{}` is clustered, and the server finds no unique index of the `_id` of a clustered collection",
                    report.model;
                help: "remove `clustered` from the model, or name the key by a field with a unique index"
            }
        }
        return;
    }
    let mut unfit = "";
    each!(for index in report.all_indexes {
        if index.unique && has_keys(groups, report, index) {
            unfit = reason(index);
            if unfit.is_empty() {
                return;
            }
        }
    });
    if !unfit.is_empty() {
        refuse! {
            "the unique index of the keys of `{}` in `{}` {}, and the server merges no groups by such an index",
                groups.result, report.model, unfit;
            help: "write `#[index(.., unique)]` with the keys alone"
        }
    }
    refuse! {
        "`{}` has no unique index of exactly the keys of `{}`", report.model, groups.result;
        help: "write `#[index(.., unique)]` with the {} on `{}`",
            if keys.len() == 1 { "key" } else { "keys" }, report.model
    }
}

#[track_caller]
const fn enforce_shard_key(groups: &Groups, report: &ModelDefinition) {
    let Some(shard_key) = report.shard_key else { return };
    each!(for field in shard_key.fields {
        let is_key = match find(report.fields, field.path[0]) {
            Some(stored) => field.path.len() == 1 && is_key(groups, stored.name),
            None => false,
        };
        if !is_key {
            refuse! {
                "`{}` is a part of the shard key of `{}` and no key of `{}`, and the server merges by the shard key",
                    field.path[field.path.len() - 1], report.model, groups.result;
                help: "add the field to `by(..)`, or shard by the keys"
            }
        }
    });
}

/// Returns whether a key of the groups has this stored name.
const fn is_key(groups: &Groups, name: &str) -> bool {
    each!(for key in groups.definition.keys {
        if str_eq(groups.fields[key.field].name, name) {
            return true;
        }
    });
    false
}

/// Returns whether the keys of an index are the keys of the groups, in any order.
const fn has_keys(groups: &Groups, report: &ModelDefinition, index: &IndexDefinition) -> bool {
    if index.keys.len() != groups.definition.keys.len() {
        return false;
    }
    each!(for key in index.keys {
        if key.path.len() != 1 || !matches!(key.direction, Direction::Ascending | Direction::Descending) {
            return false;
        }
        match find(report.fields, key.path[0]) {
            Some(stored) if is_key(groups, stored.name) => {}
            _ => return false,
        }
    });
    true
}

/// Returns the reason why the server does not merge by a unique index; empty without a reason.
const fn reason(index: &IndexDefinition) -> &'static str {
    match index.kind {
        IndexKind::Plain if !index.partial.is_empty() => "holds a part of the documents",
        IndexKind::Plain if index.sparse => "is sparse",
        IndexKind::Plain if index.collation.is_some() => "has a collation",
        IndexKind::Plain => "",
        _ => "is of a special kind",
    }
}
