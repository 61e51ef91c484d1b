//! Rule: `rollup_of_expiring`. The page is `guide/pages/rules/rollup_of_expiring.md`.

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
