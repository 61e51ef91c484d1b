//! Rule: `copy_ratio`
//!
//! A copy saves a read of its source each time it is read, and costs a write of each holder each time its source is written. Where both
//! are said, the holder's queries read it at least as often a day (`per_day`) as its source's writes are propagated: `#[written(per_day =
//! ..)]` times `fan_out`, or times one where no `fan_out` is said. Zola asks for "a high read to write ratio" and gives no number;
//! this one, one read for each write, is this crate's: below it the copy is more work than it saves. `allow(copy_ratio, reason = "..")` in
//! the `#[copied_to(..)]` silences it.
//!
//! Source: Zola on denormalization ("the ratio of reads to writes"); the number is this crate's own.

use crate::definition::{Allow, CopiedTo, Message, ModelDefinition, find};

const ID: &str = "copy_ratio";

/// What the source says of the copies in `holder`.
#[track_caller]
pub(super) const fn enforce(source: &ModelDefinition, holder: &ModelDefinition, copied: &CopiedTo) {
    let Some(field) = find(source.fields, copied.field) else { return };
    let (Some(written), Some(held)) = (field.written_per_day, find(holder.fields, copied.holder_field)) else { return };
    let Some(reads) = holder.reads_per_day(held.rust_name, held.name) else { return };
    let fan_out = match copied.fan_out {
        Some(fan_out) => fan_out,
        None => 1,
    };
    let writes = written.saturating_mul(fan_out);
    if reads >= writes || Allow::any(copied.allows, ID) {
        return;
    }
    Message::new()
        .text("the copies of ")
        .field(source.model, &[copied.field])
        .text(" in ")
        .field(holder.model, &[copied.holder_field])
        .text(" are read ")
        .number(reads)
        .text(" times a day and written ")
        .number(writes)
        .text(" times: its source is written ")
        .number(written)
        .text(" times a day, and each write is propagated to ")
        .text(if copied.fan_out.is_some() { "up to " } else { "at least " })
        .number(fan_out)
        .text(if fan_out == 1 { " holder" } else { " holders" })
        .text("\nhelp: remove the copy and read the field from its source; or give a reason in this `#[copied_to(..)]`: `allow(copy_ratio, reason = \"..\")`\nrule: copy_ratio")
        .fail()
}
