//! Rule: `shard_key_scatter`
//!
//! Targeting: a read that gives the first field of the shard key goes to one shard, and a read without the field goes to all shards. The
//! declared query that runs most often (`per_day`) gives the field, as a value or, if the field is not hashed, as a range. When no query
//! declares how often the query runs, some query gives the field. A model without a `#[query(..)]` is read by references: the shard key
//! begins with a reference to a parent, unless the shard key is the `_id` of documents that values are derived from. Silent when
//! `workload(..)` has at most 1 per cent of queries. `allow(shard_key_scatter, reason = "..")` in the `#[shard_key(..)]` silences the rule.
//!
//! Source: the article on choosing a shard key, "read targeting"; MongoDB, "broadcast operations".

use crate::definition::{
    Allow, ConditionOperator, Message, ModelDefinition, QueryDefinition, RelationDefinition, ShardKeyDefinition,
    ShardKeyField, is_path, str_eq,
};

const ID: &str = "shard_key_scatter";
const HELP: &str = " all shards are asked each time\nhelp: begin the key with what is asked for";
const RULE: &str = "; or give a reason: `allow(shard_key_scatter, reason = \"..\")`\nrule: shard_key_scatter";

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
    Message::new()
        .text("targeting: the query ")
        .code(query.name)
        .text(if query.per_day.is_some() { ", which runs most often," } else { "" })
        .text(" does not give ")
        .field(model.model, first.path)
        .text(if first.hashed { " by its value:" } else { ":" })
        .text(HELP)
        .text(RULE)
        .fail()
}

/// Returns the query that should give the first field and does not.
const fn judged(model: &ModelDefinition, first: &ShardKeyField) -> Option<&'static QueryDefinition> {
    let (mut most, mut at) = (None, 0);
    let mut some_give = false;
    while at < model.queries.len() {
        let query = &model.queries[at];
        some_give = some_give || gives(query, first);
        let often = per_day(query);
        most = match most {
            Some(other) if per_day(other) >= often => most,
            _ => Some(query),
        };
        at += 1;
    }
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
    let mut at = 0;
    while at < query.conditions.len() {
        let condition = &query.conditions[at];
        let is_value = matches!(condition.operator, ConditionOperator::Equals | ConditionOperator::IsIn);
        if is_path(condition.path, first.path) && (is_value || !first.hashed) {
            return true;
        }
        at += 1;
    }
    false
}

/// Judges a model without queries: the model is read by the reference to a parent.
#[track_caller]
const fn enforce_children(model: &ModelDefinition, first: &ShardKeyField) {
    let (mut parent, mut at): (Option<&RelationDefinition>, _) = (None, 0);
    while at < model.relations.len() {
        let relation = &model.relations[at];
        if relation.is_of_many_children() {
            if str_eq(relation.field, first.path[0]) {
                return;
            }
            if parent.is_none() {
                parent = Some(relation);
            }
        }
        at += 1;
    }
    let Some(parent) = parent else { return };
    Message::new()
        .text("targeting: the ")
        .code(model.model)
        .text(" of one ")
        .code(parent.field)
        .text(" are read by it, and it is not the first field of the shard key:")
        .text(HELP)
        .text(", `")
        .text(parent.field)
        .text("`; or declare the queries that are asked")
        .text(RULE)
        .fail()
}
