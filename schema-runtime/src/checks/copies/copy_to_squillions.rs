//! Rule: `copy_to_squillions`. The page is `guide/pages/rules/copy_to_squillions.md`.

use crate::definition::{
    Allow, ChangeRate, CopyDefinition, CopyMode, ModelDefinition, dotted, each, last_segment, refuse, str_eq,
};

const ID: &str = "copy_to_squillions";

/// Judges a copy in `field` of the holder; `by` is the reference, if the reference lies inside of the field.
#[track_caller]
pub(in crate::checks) const fn enforce(holder: &ModelDefinition, field: &str, copy: &CopyDefinition, by: Option<&str>) {
    let Some(declared) = copy.declared(holder.name, field) else { return };
    if !matches!(copy.mode, CopyMode::Synced)
        || matches!(declared.changes, ChangeRate::Seldom)
        || Allow::any(copy.allows, ID)
        || Allow::any(declared.allows, ID)
        || !refers_to_squillions(holder, field, copy, by)
    {
        return;
    }
    let source = last_segment(copy.source.target.name);
    refuse! {
        "squillions of `{}` may refer to the same `{}`, and each write of `{}.{}` would rewrite all referring documents",
            holder.model, source, source, dotted(copy.from).as_str();
        help: "write `#[changes(seldom)]` on `{}.{}` if the field seldom changes; or remove the `#[copied_to(..)]` and add `snapshot` to the `#[denormalize(..)]`: the copy then keeps the value from the write of the reference; or give a reason in the `#[copied_to(..)]`: `allow(copy_to_squillions, reason = \"..\")`",
            source, copy.from[0]
    }
}

const fn refers_to_squillions(holder: &ModelDefinition, field: &str, copy: &CopyDefinition, by: Option<&str>) -> bool {
    each!(for relation in holder.relations {
        let is_its_own = match (by, relation.by) {
            (Some(by), Some(found)) => str_eq(relation.field, field) && str_eq(by, found),
            (None, None) => str_eq(relation.field, copy.reference),
            _ => false,
        };
        if is_its_own && relation.cardinality.is_without_limit() {
            return true;
        }
    });
    false
}
