//! Rule: `shard_key_scatter`. The page is `guide/pages/rules/shard_key_scatter.md`.

use crate::definition::{
    Allow, ConditionOperator, ModelDefinition, QueryDefinition, RelationDefinition, ShardKeyDefinition, ShardKeyField,
    dotted, each, is_path, refuse, str_eq,
};

const ID: &str = "shard_key_scatter";

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, key: &ShardKeyDefinition) {
    if key.hardly_reads() || Allow::any(key.allows, ID) {
        return;
    }
    let first = &key.fields[0];
    if model.queries.is_empty() {
        // Derived values are kept by the `_id` of the documents.
        if !model.derives() || !key.is_id(model) {
            enforce_children(model, first);
        }
        return;
    }
    let Some(query) = judged(model, first) else { return };
    let often = if query.per_day.is_some() { ", the most frequent query," } else { "" };
    refuse! {
        "targeting: the query `{}`{} does not give `{}.{}`{}: all shards are asked each time",
            query.name, often, model.model, dotted(first.path).as_str(),
            if first.hashed { " by value" } else { "" };
        help: "begin the key with a field that the query gives; or give a reason: `allow(shard_key_scatter, reason = \"..\")`"
    }
}

/// Returns the query that should give the first field and does not.
const fn judged(model: &ModelDefinition, first: &ShardKeyField) -> Option<&'static QueryDefinition> {
    let (mut most, mut some_give) = (None, false);
    each!(for query in model.queries {
        some_give = some_give || gives(query, first);
        let often = per_day(query);
        most = match most {
            Some(other) if per_day(other) >= often => most,
            _ => Some(query),
        };
    });
    match most {
        Some(query) if query.per_day.is_some() && !gives(query, first) => most,
        Some(query) if query.per_day.is_none() && !some_give => most,
        _ => None,
    }
}

const fn per_day(query: &QueryDefinition) -> u64 {
    match query.per_day {
        Some(often) => often,
        None => 0,
    }
}

/// True when the conditions of the query decide which shards have the documents of the read.
const fn gives(query: &QueryDefinition, first: &ShardKeyField) -> bool {
    each!(for condition in query.conditions {
        let is_value = matches!(condition.operator, ConditionOperator::Equals | ConditionOperator::IsIn);
        if is_path(condition.path, first.path) && (is_value || !first.hashed) {
            return true;
        }
    });
    false
}

/// Judges a model without queries: the model is read by the reference to a parent.
#[track_caller]
const fn enforce_children(model: &ModelDefinition, first: &ShardKeyField) {
    let mut parent: Option<&RelationDefinition> = None;
    each!(for relation in model.relations {
        if relation.is_of_many_children() {
            if str_eq(relation.field, first.path[0]) {
                return;
            }
            if parent.is_none() {
                parent = Some(relation);
            }
        }
    });
    let Some(parent) = parent else { return };
    refuse! {
        "targeting: the `{}` of a parent are read by `{}`, and this reference is not the first field of the shard key: all shards are asked each time",
            model.model, parent.field;
        help: "begin the key with `{}`; or declare the queries with `#[query(..)]`; or give a reason: `allow(shard_key_scatter, reason = \"..\")`",
            parent.field
    }
}
