//! Rule: `copy_not_read`. The page is `guide/pages/rules/copy_not_read.md`.

use crate::definition::{Allow, CopyDefinition, ModelDefinition, refuse, str_eq, text};

const ID: &str = "copy_not_read";

/// Judges a copy in the field of these names of the holder, or inside of the field.
#[track_caller]
pub(in crate::checks) const fn enforce(holder: &ModelDefinition, field: &str, stored: &str, copy: &CopyDefinition) {
    if holder.queries.is_empty() || !copy.tracks_source() || Allow::any(copy.allows, ID) || holder.reads(field, stored)
    {
        return;
    }
    let place = match str_eq(field, copy.field) {
        true => text!(""),
        false => text!(" in `{}`", field),
    };
    refuse! {
        "no query of `{}` reads the copy `{}`{}, and each write of the source is still propagated to the copy",
            holder.model, copy.field, place.as_str();
        help: "remove the copy, or add the copy to the projection of a `#[query(..)]`; or give a reason in the `#[denormalize(..)]`: `allow(copy_not_read, reason = \"..\")`"
    }
}
