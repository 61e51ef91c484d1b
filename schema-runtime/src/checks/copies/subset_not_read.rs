//! Rule: `subset_not_read`. The page is `guide/pages/rules/subset_not_read.md`.

use crate::definition::{Allow, ModelDefinition, RollupDefinition, RollupKind, refuse};

const ID: &str = "subset_not_read";

/// Judges a subset of the model.
#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, rollup: &RollupDefinition) {
    if !matches!(rollup.kind, RollupKind::Subset { .. })
        || model.queries.is_empty()
        || Allow::any(model.allows, ID)
        || model.reads(rollup.field, rollup.name)
    {
        return;
    }
    refuse! {
        "no query of `{}` reads the subset `{}`, and the writes of the children still update the subset",
            model.model, rollup.field;
        help: "remove the subset, or add the subset to the projection of a `#[query(..)]`; or give a reason: `#[model(.., allow(subset_not_read, reason = \"..\"))]`"
    }
}
