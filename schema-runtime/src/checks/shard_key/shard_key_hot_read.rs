//! Rule: `shard_key_hot_read`. The page is `guide/pages/rules/shard_key_hot_read.md`.

use crate::definition::{
    Allow, ConditionOperator, ModelDefinition, QueryDefinition, QuerySize, ShardKeyDefinition, dotted, each, is_path,
    refuse,
};

const ID: &str = "shard_key_hot_read";

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, key: &ShardKeyDefinition) {
    let first = &key.fields[0];
    if first.hashed || key.hardly_reads() || Allow::any(key.allows, ID) {
        return;
    }
    each!(for query in model.queries {
        let reads_an_end = !matches!(query.size, QuerySize::All)
            && !query.order.is_empty()
            && is_path(query.order[0].path, first.path)
            && !asks_for_values(query);
        if reads_an_end {
            refuse! {
                "read distribution: the query `{}` reads an end of `{}.{}`, always the same chunk: a single shard serves all reads of the query",
                    query.name, model.model, dotted(first.path).as_str();
                help: "begin the key with a field that spreads the documents of a read, for example the author, or hash this field; or give a reason: `allow(shard_key_hot_read, reason = \"..\")`"
            }
        }
    });
}

const fn asks_for_values(query: &QueryDefinition) -> bool {
    each!(for condition in query.conditions {
        let operator = condition.operator;
        if matches!(operator, ConditionOperator::Equals | ConditionOperator::IsIn | ConditionOperator::Contains) {
            return true;
        }
    });
    false
}
