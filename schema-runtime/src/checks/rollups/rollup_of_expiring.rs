//! Rule: `rollup_of_expiring`
//!
//! A model whose values a parent keeps has no TTL index: the server deletes expired documents without notice, and the counts, sums and
//! subsets of the parents would keep the deleted documents for good. Delete the children with `delete_many`, which updates the parents, or
//! compute the parent's field at the time of the read. A parent itself may expire.
//!
//! Source: MongoDB, "TTL indexes: delete operations".

use crate::definition::{Message, ModelDefinition, last_segment};

/// Judges a model with a TTL index.
#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition) {
    let mut at = 0;
    while at < model.relations.len() {
        let relation = &model.relations[at];
        if relation.rolled_up
            && let Some(parent) = &relation.target
        {
            let parent = last_segment(parent.name);
            Message::new()
                .code(parent)
                .text(" has fields that are computed from ")
                .code(model.model)
                .text(": they would still include what the server deletes by this `ttl`")
                .text("\nhelp: remove the `ttl`, and delete with `")
                .text(model.model)
                .text("::delete_many(..)`; or compute the fields of ")
                .code(parent)
                .text(" when it is read\nrule: rollup_of_expiring")
                .fail()
        }
        at += 1;
    }
}
