//! Rule: `shard_key_hot_read`
//!
//! Read distribution: a declared query of a few documents that has no condition by value and is sorted by the first field of the shard key
//! (the last 20 articles) reads the end of the key: always the same chunk, and the shard that has the chunk. Silent when `workload(..)` has
//! at most 1 per cent of queries. `allow(shard_key_hot_read, reason = "..")` in the `#[shard_key(..)]` silences the rule.
//!
//! Source: the article on choosing a shard key, "read distribution".

use crate::definition::{
    Allow, ConditionOperator, Message, ModelDefinition, QueryDefinition, QuerySize, ShardKeyDefinition, is_path,
};

const ID: &str = "shard_key_hot_read";

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, key: &ShardKeyDefinition) {
    let first = &key.fields[0];
    if first.hashed || key.hardly_reads() || Allow::any(key.allows, ID) {
        return;
    }
    let mut at = 0;
    while at < model.queries.len() {
        let query = &model.queries[at];
        let reads_an_end = !matches!(query.size, QuerySize::All)
            && !query.order.is_empty()
            && is_path(query.order[0].path, first.path)
            && !asks_for_values(query);
        if reads_an_end {
            Message::new()
                .text("read distribution: the query ")
                .code(query.name)
                .text(" reads one end of ")
                .field(model.model, first.path)
                .text(", which is one chunk: one shard serves all of its reads\nhelp: begin the key with a field that spreads what is read at one time, such as the author, or hash this one; or give a reason: `allow(shard_key_hot_read, reason = \"..\")`\nrule: shard_key_hot_read")
                .fail()
        }
        at += 1;
    }
}

const fn asks_for_values(query: &QueryDefinition) -> bool {
    let mut at = 0;
    while at < query.conditions.len() {
        let operator = query.conditions[at].operator;
        if matches!(operator, ConditionOperator::Equals | ConditionOperator::IsIn | ConditionOperator::Contains) {
            return true;
        }
        at += 1;
    }
    false
}
