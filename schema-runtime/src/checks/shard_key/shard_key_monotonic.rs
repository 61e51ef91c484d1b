//! Rule: `shard_key_monotonic`
//!
//! Write distribution: when the first field of the shard key ascends with time (an `ObjectId`, a date, a timestamp, a counter as `_id`),
//! each new document is greater than all earlier documents, so that every insert goes to the last chunk and the shard that has the chunk.
//! The field is hashed, or stands behind a field of many values. Silent when `workload(..)` has at most 1 per cent of inserts.
//! `allow(shard_key_monotonic, reason = "..")` in the `#[shard_key(..)]` silences the rule.
//!
//! Source: the article on choosing a shard key: "by far the most common mistake"; MongoDB, "monotonically changing shard keys".

use crate::definition::{Allow, Message, ModelDefinition, ShardKeyDefinition, is_id};

const ID: &str = "shard_key_monotonic";

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, key: &ShardKeyDefinition) {
    let first = &key.fields[0];
    if !first.ascends(model) || key.hardly_inserts() || Allow::any(key.allows, ID) {
        return;
    }
    let message = Message::new()
        .text("write distribution: ")
        .field(model.model, first.path)
        .text(" ascends, so that every insert goes to the last chunk, and one shard has all of them\nhelp: hash it: `hashed(")
        .path(first.path)
        .text(")`, or begin with a field of many values");
    let message = if is_id(model, first.path) {
        message
    } else {
        message.text(", as in `#[shard_key(host, ").path(first.path).text(")]`")
    };
    message
        .text("; or give a reason: `allow(shard_key_monotonic, reason = \"..\")`, or the `workload(..)` if hardly anything is inserted\nrule: shard_key_monotonic")
        .fail()
}
