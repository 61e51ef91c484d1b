//! Rule: `shard_key_monotonic`. The page is `guide/pages/rules/shard_key_monotonic.md`.

use crate::definition::{Allow, ModelDefinition, ShardKeyDefinition, dotted, is_id, refuse, text};

const ID: &str = "shard_key_monotonic";

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, key: &ShardKeyDefinition) {
    let first = &key.fields[0];
    if !first.ascends(model) || key.hardly_inserts() || Allow::any(key.allows, ID) {
        return;
    }
    let path = dotted(first.path);
    let example = match is_id(model, first.path) {
        true => text!(""),
        false => text!(", as in `#[shard_key(host, {})]`", path.as_str()),
    };
    refuse! {
        "write distribution: `{}.{}` ascends, so every insert goes to the last chunk, and a single shard has all inserts",
            model.model, path.as_str();
        help: "hash the field: `hashed({})`, or begin with a field of many values{}; or give a reason: `allow(shard_key_monotonic, reason = \"..\")`, or declare the `workload(..)` if hardly anything is inserted",
            path.as_str(), example.as_str()
    }
}
