//! Rule: `copy_of_volatile`. The page is `guide/pages/rules/copy_of_volatile.md`.

use crate::definition::{
    Allow, ChangeRate, CopiedTo, CopyDefinition, CopyMode, FieldDefinition, ManagedAs, ModelDefinition, copy_inside,
    dotted, each, find, refuse, str_eq,
};

const ID: &str = "copy_of_volatile";

/// Reports at the copy, when the source does not declare that the field is copied. Otherwise the report is at the
/// source.
#[track_caller]
pub(in crate::checks) const fn enforce_copy(source: &ModelDefinition, copy: &CopyDefinition) {
    let Some(word) = word(source, copy.from[0]) else { return };
    if !copy.tracks_source() || Allow::any(copy.allows, ID) {
        return;
    }
    each!(for copied in source.copied_to {
        if str_eq(copied.field, copy.from[0]) {
            return;
        }
    });
    fail(
        source,
        copy.from,
        word,
        match copy.mode {
            CopyMode::External => {
                "read the field from the source, or write `snapshot` in place of `external`: the copy then keeps the value from the write of the reference"
            }
            _ => {
                "read the field from the source, or add `snapshot`: the copy then keeps the value from the write of the reference"
            }
        },
    )
}

/// Reports at the source, when neither side has a reason.
#[track_caller]
pub(in crate::checks) const fn enforce_source(
    source: &ModelDefinition,
    holder: &ModelDefinition,
    copied: &CopiedTo,
    field: &FieldDefinition,
) {
    let Some(word) = word(source, copied.field) else { return };
    if !Allow::any(copied.allows, ID) && !copy_allows(source, holder, copied, field) {
        fail(
            source,
            &[copied.field],
            word,
            "remove this `#[copied_to(..)]` and the copy, and read the field from the source",
        )
    }
}

/// Returns the attribute that marks a field as often changed.
const fn word(source: &ModelDefinition, field: &str) -> Option<&'static str> {
    match find(source.fields, field) {
        Some(FieldDefinition { managed: Some(ManagedAs::Version), .. }) => Some("#[version]"),
        Some(FieldDefinition { managed: Some(ManagedAs::UpdatedAt), .. }) => Some("#[updated_at]"),
        Some(FieldDefinition { changes: ChangeRate::Often, .. }) => Some("#[changes(often)]"),
        _ => None,
    }
}

const fn copy_allows(
    source: &ModelDefinition,
    holder: &ModelDefinition,
    copied: &CopiedTo,
    field: &FieldDefinition,
) -> bool {
    each!(for copy in holder.copies {
        if str_eq(copy.field, copied.holder_field) && allows(source, copied, copy) {
            return true;
        }
    });
    let mut number = 0;
    while let Some(place) = copy_inside(&field.shape, number) {
        if allows(source, copied, place.copy) {
            return true;
        }
        number += 1;
    }
    false
}

const fn allows(source: &ModelDefinition, copied: &CopiedTo, copy: &CopyDefinition) -> bool {
    str_eq(copy.source.target.name, source.name) && str_eq(copy.from[0], copied.field) && Allow::any(copy.allows, ID)
}

#[track_caller]
const fn fail(source: &ModelDefinition, path: &[&str], word: &str, help: &str) -> ! {
    refuse! {
        "`{}.{}` is `{}`: each of the many writes would be propagated to every copy",
            source.model, dotted(path).as_str(), word;
        help: "{}; or give a reason: `allow(copy_of_volatile, reason = \"..\")`", help
    }
}
