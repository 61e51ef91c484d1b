//! Rule: `shard_key_copies`
//!
//! Derived values (copies that follow a source, values that parents keep of children, `two_way` relations, delete
//! rules, trees) are kept by updates of many documents. A marker or a reference finds the documents. While chunks move
//! between shards, an update of many documents on several shards may miss a document, or meet a document twice. A 6.0
//! server runs `findAndModify` on a single document only by the whole shard key. When the shard key is `_id`, hashed or
//! not, the shard key reaches every document. `allow(shard_key_copies, reason = "..")` in the `#[shard_key(..)]`
//! silences the rule: then `repair` is run after chunks have moved.
//!
//! Source: DRIVERS-818 (updates of many and migrations); MongoDB, "findAndModify on sharded collections".

use crate::definition::{Allow, ModelDefinition, ShardKeyDefinition, refuse};

const ID: &str = "shard_key_copies";

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, key: &ShardKeyDefinition) {
    if !model.derives() || key.is_id(model) || Allow::any(key.allows, ID) {
        return;
    }
    // A slug is written with its document.
    let what = if model.has_copies() {
        "copies that follow a source"
    } else if model.has_rollups() {
        "values that parents keep of children"
    } else if model.has_links() {
        "a `two_way` relation"
    } else if model.has_tree() {
        "a tree"
    } else if model.has_delete_rules() {
        "a delete rule"
    } else {
        return;
    };
    refuse! {
        "reliability: `{}` takes part in {}, kept by updates of many documents: an update on several shards may miss a document that moves at the same time, or find the document twice",
            model.model, what;
        help: "shard by the `_id`, as in `#[shard_key(hashed(id))]`; or give a reason: `allow(shard_key_copies, reason = \"..\")`; then a 6.0 cluster refuses updates that do not give the whole key, and `repair` must run after chunks have moved"
    }
}
