//! Rule: `shard_key_copies`. The page is `guide/pages/rules/shard_key_copies.md`.

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
