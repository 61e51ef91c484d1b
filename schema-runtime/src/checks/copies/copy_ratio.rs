//! Rule: `copy_ratio`. The page is `guide/pages/rules/copy_ratio.md`.

use crate::definition::{Allow, CopiedTo, ModelDefinition, digits, find, refuse};

const ID: &str = "copy_ratio";

/// Judges a declaration of the source about the copies in `holder`.
#[track_caller]
pub(in crate::checks) const fn enforce(source: &ModelDefinition, holder: &ModelDefinition, copied: &CopiedTo) {
    let Some(field) = find(source.fields, copied.field) else { return };
    let (Some(written), Some(held)) = (field.changes_per_day, find(holder.fields, copied.holder_field)) else { return };
    let Some(reads) = holder.reads_per_day(held.rust_name, held.name) else { return };
    let fan_out = match copied.fan_out {
        Some(fan_out) => fan_out,
        None => 1,
    };
    let writes = written.saturating_mul(fan_out);
    if reads >= writes || Allow::any(copied.allows, ID) {
        return;
    }
    refuse! {
        "the copies of `{}.{}` in `{}.{}` are read {} times a day and written {} times: the source is written {} times a day, and each write is propagated to {}{}{}",
            source.model, copied.field, holder.model, copied.holder_field, digits(reads).as_str(),
            digits(writes).as_str(), digits(written).as_str(),
            if copied.fan_out.is_some() { "up to " } else { "at least " }, digits(fan_out).as_str(),
            if fan_out == 1 { " holder" } else { " holders" };
        help: "remove the copy and read the field from the source; or give a reason in this `#[copied_to(..)]`: `allow(copy_ratio, reason = \"..\")`"
    }
}
