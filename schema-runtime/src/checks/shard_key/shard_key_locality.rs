//! Rule: `shard_key_locality`. The page is `guide/pages/rules/shard_key_locality.md`.

use crate::definition::{
    Allow, ConditionOperator, ModelDefinition, QueryDefinition, ShardKeyDefinition, ShardKeyField, dotted, each,
    is_path, refuse,
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
    let (before, [hashed, ..]) = key.fields.split_at(at) else { return };
    each!(for query in model.queries {
        if let Some(what) = neighbours(query, hashed.path)
            && !has_value(query, hashed.path)
            && gives_values(query, before)
        {
            refuse! {
                "read locality: the query `{}` {} `{}.{}`, and a hash puts neighbours on different shards: all shards are asked",
                    query.name, what, model.model, dotted(hashed.path).as_str();
                help: "write the field without `hashed`, behind a field of many values; or give a reason: `allow(shard_key_locality, reason = \"..\")`"
            }
        }
    });
}

/// Returns how a query reads adjacent values by this field; `None` when the query does not.
const fn neighbours(query: &QueryDefinition, path: &[&str]) -> Option<&'static str> {
    each!(for condition in query.conditions {
        let is_range = !matches!(
            condition.operator,
            ConditionOperator::Equals | ConditionOperator::IsIn | ConditionOperator::Contains
        );
        if is_range && is_path(condition.path, path) {
            return Some("reads a range of");
        }
    });
    if !query.order.is_empty() && is_path(query.order[0].path, path) {
        return Some("is sorted by");
    }
    None
}

/// Returns whether the query gives the values of these fields.
const fn gives_values(query: &QueryDefinition, fields: &[ShardKeyField]) -> bool {
    each!(for field in fields {
        if !has_value(query, field.path) {
            return false;
        }
    });
    true
}

const fn has_value(query: &QueryDefinition, path: &[&str]) -> bool {
    each!(for condition in query.conditions {
        if matches!(condition.operator, ConditionOperator::Equals | ConditionOperator::IsIn)
            && is_path(condition.path, path)
        {
            return true;
        }
    });
    false
}
