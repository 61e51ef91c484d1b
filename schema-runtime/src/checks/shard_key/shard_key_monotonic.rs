//! Rule: `shard_key_monotonic`
//!
//! Write distribution: when the first field of the shard key ascends with time (an `ObjectId`, a date, a timestamp, a
//! counter as `_id`), each new document is greater than all earlier documents, so that every insert goes to the last
//! chunk and the shard that has the chunk. The field is hashed, or stands behind a field of many values. Silent when
//! `workload(..)` has at most 1 per cent of inserts. `allow(shard_key_monotonic, reason = "..")` in the
//! `#[shard_key(..)]` silences the rule.
//!
//! Source: the article on choosing a shard key: "by far the most common mistake"; MongoDB, "monotonically changing
//! shard keys".

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
