//! Rule: `shard_key_locality`
//!
//! Read locality: a hash puts neighbouring values on different shards. A declared query that reads a range of a hashed field, or is sorted
//! by the field, is sent to all shards and merged. The rule judges a first field, and a later field when the query gives the fields before.
//! Silent when `workload(..)` has at most 1 per cent of queries. `allow(shard_key_locality, reason = "..")` in the `#[shard_key(..)]`
//! silences the rule.
//!
//! Source: the article on choosing a shard key, "read locality" ("any sort with a limit is a range query").

use crate::definition::{
    Allow, ConditionOperator, Message, ModelDefinition, QueryDefinition, ShardKeyDefinition, is_path,
};

const ID: &str = "shard_key_locality";

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, key: &ShardKeyDefinition) {
    if key.hardly_reads() || Allow::any(key.allows, ID) {
        return;
    }
    let mut at = 0;
    while at < key.fields.len() && !key.fields[at].hashed {
        at += 1;
    }
    if at == key.fields.len() {
        return;
    }
    let hashed = &key.fields[at];
    let mut number = 0;
    while number < model.queries.len() {
        let query = &model.queries[number];
        let is_targeted = gives_first(query, key, at);
        let what = match neighbours(query, hashed.path) {
            Some(what) if is_targeted && !has_value(query, hashed.path) => what,
            _ => {
                number += 1;
                continue;
            }
        };
        Message::new()
            .text("read locality: the query ")
            .code(query.name)
            .text(what)
            .field(model.model, hashed.path)
            .text(", and a hash puts neighbours on different shards: all of them are asked\nhelp: write the field without `hashed`, behind one of many values; or give a reason: `allow(shard_key_locality, reason = \"..\")`\nrule: shard_key_locality")
            .fail()
    }
}

/// Returns how a query reads neighbours by this field; `None` when the query does not.
const fn neighbours(query: &QueryDefinition, path: &[&str]) -> Option<&'static str> {
    let mut at = 0;
    while at < query.conditions.len() {
        let condition = &query.conditions[at];
        let is_range = !matches!(
            condition.operator,
            ConditionOperator::Equals | ConditionOperator::IsIn | ConditionOperator::Contains
        );
        if is_range && is_path(condition.path, path) {
            return Some(" reads a range of ");
        }
        at += 1;
    }
    if !query.order.is_empty() && is_path(query.order[0].path, path) {
        return Some(" is sorted by ");
    }
    None
}

/// Returns whether the query gives the values of the fields before number `before`.
const fn gives_first(query: &QueryDefinition, key: &ShardKeyDefinition, before: usize) -> bool {
    let mut at = 0;
    while at < before {
        if !has_value(query, key.fields[at].path) {
            return false;
        }
        at += 1;
    }
    true
}

const fn has_value(query: &QueryDefinition, path: &[&str]) -> bool {
    let mut at = 0;
    while at < query.conditions.len() {
        let condition = &query.conditions[at];
        if matches!(condition.operator, ConditionOperator::Equals | ConditionOperator::IsIn)
            && is_path(condition.path, path)
        {
            return true;
        }
        at += 1;
    }
    false
}
