//! Rule: `copy_undeclared`. The page is `guide/pages/rules/copy_undeclared.md`.

use crate::definition::{
    Allow, CopiedTo, CopyDefinition, CopyMode, FieldDefinition, Kind, ModelDefinition, Shape, copy_inside, dotted,
    each, find, is_whole, last_segment, refuse, resolve, str_eq, text,
};

/// Reports at the holder a copy in `field` that the source does not declare.
#[track_caller]
pub(in crate::checks) const fn enforce_holder(holder: &ModelDefinition, field: &str, copy: &CopyDefinition) {
    if !matches!(copy.mode, CopyMode::Synced)
        || copy.declared(holder.name, field).is_some()
        || !may_be_copied(copy)
        || is_reported_at_the_source(holder, field, copy)
    {
        return;
    }
    let source = last_segment(copy.source.target.name);
    refuse! {
        "`{}.{}` holds a copy of `{}.{}`, and the source has no `#[copied_to(..)]` for the copy: a field declares every copy that a write of the field updates",
            holder.model, field, source, dotted(copy.from).as_str();
        help: "write `#[copied_to({}::{})]` on `{}.{}`; or add `snapshot` to the copy: the copy then needs no `#[copied_to(..)]`, and keeps the value from the write of the reference",
            holder.model, field, source, copy.from[0]
    }
}

/// Refuses a copy of a model that is an enum, unless the copy is a snapshot: an enum propagates nothing, since the
/// fields of its variants cannot be declared as copied.
#[track_caller]
pub(in crate::checks) const fn enforce_of_struct(source: &ModelDefinition, copy: &CopyDefinition) {
    if source.variants.is_none() || matches!(copy.mode, CopyMode::Snapshot) {
        return;
    }
    refuse! {
        "`{}` is an enum, and a write of an enum updates no copies: the fields of variants have no `#[copied_to(..)]`",
            source.model;
        help: "add `snapshot` to the copy: the copy then keeps the value from the write of the reference; or make `{}` a struct",
            source.model
    }
}

/// True when the copied field exists and is fit to be copied. Otherwise the field is refused at the copy.
const fn may_be_copied(copy: &CopyDefinition) -> bool {
    each!(for copyable in copy.source.copyable {
        if str_eq(copyable, copy.from[0]) {
            return true;
        }
    });
    Allow::any(copy.allows, "copy_of_volatile")
}

/// True when the source declares a missing copy, of this field or in this field: both reports are one mistake.
const fn is_reported_at_the_source(holder: &ModelDefinition, field: &str, copy: &CopyDefinition) -> bool {
    each!(for copied in copy.source.copied_to {
        if str_eq(copied.holder.name, holder.name)
            && (str_eq(copied.field, copy.from[0]) || str_eq(copied.holder_field, field))
            && find_copy(holder, copied.holder_field, copy.source.target.name, Some(copied.field), true).is_none()
        {
            return true;
        }
    });
    false
}

/// Reports at the source a declared copy in `field` of the holder that does not exist.
#[track_caller]
pub(in crate::checks) const fn enforce_source(
    source: &ModelDefinition,
    holder: &ModelDefinition,
    copied: &CopiedTo,
    field: &FieldDefinition,
) {
    let (place, of) = (copied.holder_field, Some(copied.field));
    if find_copy(holder, place, source.name, of, true).is_some()
        || !is_whole(&field.shape)
        || has_unknown(source, holder, place)
    {
        return;
    }
    if let Some(copy) = find_copy(holder, place, source.name, of, false) {
        not_synced(source, holder, copied, copy)
    }
    if let Some(other) = other_field(source, holder, copied) {
        refuse! {
            "`{}.{}` holds no copy of `{}.{}`; `{}.{}` does",
                holder.model, place, source.model, copied.field, holder.model, other;
            help: "write `#[copied_to({}::{})]`", holder.model, other
        }
    }
    if let Some(other) = find_other(holder, place, source.name, copied.field) {
        refuse! {
            "`{}.{}` is a copy of `{}.{}`, not of `{}.{}`",
                holder.model, place, last_segment(other.source.target.name), dotted(other.from).as_str(), source.model,
                copied.field;
            help: "remove this `#[copied_to(..)]`, or name a field of `{}` that is a copy of this field", holder.model
        }
    }
    missing(source, holder, copied, field)
}

/// Reports a copy that exists and that no write of its source reaches.
#[track_caller]
const fn not_synced(source: &ModelDefinition, holder: &ModelDefinition, copied: &CopiedTo, copy: &CopyDefinition) -> ! {
    let (word, what) = match copy.mode {
        CopyMode::External => {
            ("external", ": the copy is updated from a change stream, not by the writes of the source")
        }
        _ => ("snapshot", ": the copy keeps the value from the write of the reference"),
    };
    refuse! {
        "the copy of `{}.{}` in `{}.{}` has `{}`{}",
            source.model, dotted(copy.from).as_str(), holder.model, copied.holder_field, word, what;
        help: "remove `{}` there, or remove this `#[copied_to(..)]`", word
    }
}

/// Reports a holder without a copy of the field.
#[track_caller]
const fn missing(source: &ModelDefinition, holder: &ModelDefinition, copied: &CopiedTo, field: &FieldDefinition) -> ! {
    let (reference, note) = match reference(source, holder, copied) {
        Some(reference) => (reference, text!("")),
        None => ("reference", text!(", with the field that is a `Ref<{}>` for `reference`,", source.model)),
    };
    let place = match innermost_struct(&field.shape) {
        Some(owner) => text!("a field of `{}`", owner),
        None => text!("`{}.{}`", holder.model, copied.holder_field),
    };
    refuse! {
        "`{}.{}` holds no copy of `{}.{}`", holder.model, copied.holder_field, source.model, copied.field;
        help: "write `#[denormalize(from = {}.{})]`{} on {}; or remove this `#[copied_to(..)]`",
            reference, copied.field, note.as_str(), place.as_str()
    }
}

/// Returns the field of the holder that has the copy, in place of the field that the source names.
const fn other_field(source: &ModelDefinition, holder: &ModelDefinition, copied: &CopiedTo) -> Option<&'static str> {
    each!(for field in holder.fields {
        let name = field.rust_name;
        if find_copy(holder, name, source.name, Some(copied.field), true).is_some() {
            return Some(name);
        }
    });
    None
}

/// Finds a copy in `field` of the holder, from the model of this full name: a copy of the field `of`, or of any field;
/// a synced copy, or any copy.
const fn find_copy(
    holder: &ModelDefinition,
    field: &str,
    source: &str,
    of: Option<&str>,
    synced: bool,
) -> Option<&'static CopyDefinition> {
    each!(for copy in holder.copies {
        if str_eq(copy.field, field) && is_of(copy, source, of, synced) {
            return Some(copy);
        }
    });
    let Some(found) = find(holder.fields, field) else { return None };
    let mut number = 0;
    while let Some(place) = copy_inside(&found.shape, number) {
        if is_of(place.copy, source, of, synced) {
            return Some(place.copy);
        }
        number += 1;
    }
    None
}

const fn is_of(copy: &CopyDefinition, source: &str, of: Option<&str>, synced: bool) -> bool {
    let is_of_field = match of {
        Some(field) => str_eq(copy.from[0], field),
        None => true,
    };
    str_eq(copy.source.target.name, source) && is_of_field && (!synced || matches!(copy.mode, CopyMode::Synced))
}

/// True when a copy in this field is of a field that the source does not have. The copy has the message.
const fn has_unknown(source: &ModelDefinition, holder: &ModelDefinition, field: &str) -> bool {
    each!(for copy in holder.copies {
        if str_eq(copy.field, field) && is_unknown(source, copy) {
            return true;
        }
    });
    let Some(found) = find(holder.fields, field) else { return false };
    let mut number = 0;
    while let Some(place) = copy_inside(&found.shape, number) {
        if is_unknown(source, place.copy) {
            return true;
        }
        number += 1;
    }
    false
}

const fn is_unknown(source: &ModelDefinition, copy: &CopyDefinition) -> bool {
    copy.behind().is_some()
        || str_eq(copy.source.target.name, source.name) && resolve(source.fields, copy.from).is_none()
}

/// Finds a copy in the holder's own field that is of another field or of another model.
const fn find_other(holder: &ModelDefinition, field: &str, source: &str, of: &str) -> Option<&'static CopyDefinition> {
    each!(for copy in holder.copies {
        if str_eq(copy.field, field) && !is_of(copy, source, Some(of), false) {
            return Some(copy);
        }
    });
    None
}

/// Returns the field that refers to the source, as far as the field is known.
const fn reference(source: &ModelDefinition, holder: &ModelDefinition, copied: &CopiedTo) -> Option<&'static str> {
    if let Some(copy) = find_copy(holder, copied.holder_field, source.name, None, false) {
        return Some(copy.reference);
    }
    each!(for relation in holder.relations {
        if let Some(target) = &relation.target
            && str_eq(target.name, source.name)
        {
            match relation.reference {
                Some(reference) if str_eq(relation.field, copied.holder_field) => return Some(reference),
                None => return Some(relation.field),
                Some(_) => {}
            }
        }
    });
    None
}

const fn innermost_struct(shape: &Shape) -> Option<&'static str> {
    match shape.kind {
        Kind::Array { items, .. } => innermost_struct(items),
        Kind::Map { values, .. } => innermost_struct(values),
        Kind::Document { name, .. } => Some(name),
        _ => None,
    }
}
