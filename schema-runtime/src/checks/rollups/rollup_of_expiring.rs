//! Rule: `rollup_of_expiring`
//!
//! A model whose values a parent keeps has no TTL index: the server deletes expired documents without notice, and the
//! counts, sums and subsets of the parents would keep the deleted documents for good. Delete the children with
//! `delete_many`, which updates the parents, or compute the parent's field at the time of the read. A parent itself may
//! expire.
//!
//! Source: MongoDB, "TTL indexes: delete operations".

use crate::definition::{ModelDefinition, each, last_segment, refuse};

/// Judges a model with a TTL index.
#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition) {
    each!(for relation in model.relations {
        if relation.rolled_up
            && let Some(parent) = &relation.target
        {
            let parent = last_segment(parent.name);
            refuse! {
                "`{}` has fields that are computed from `{}`: the fields would still include the documents that the server deletes by this `ttl`",
                    parent, model.model;
                help: "remove the `ttl`, and delete with `{}::delete_many(..)`; or compute the fields of `{}` at each read",
                    model.model, parent
            }
        }
    });
}
