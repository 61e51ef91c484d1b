//! Rule: `copy_undeclared`
//!
//! A copy is declared on both sides. The holder says `#[denormalize(from = id.name)]`. The source says `#[copied_to(Product::parts)]` with
//! the model that holds the copies and the holder's field, also for a copy inside of an embedded struct: a reader sees the cost of a write
//! beside the written field. A copy that keeps the value from its own write is a `snapshot` and needs no declaration at the source. A
//! snapshot is also the only kind of copy of a model that is an enum: a variant has no place for `#[copied_to(..)]`. A copy whose source
//! another program writes is `external`, and no write of this program propagates to the copy.
//!
//! Source: Zola ("when you update the Part name you must also update every place it occurs in the 'products' collection").

use crate::definition::{
    Allow, CopiedTo, CopyDefinition, CopyMode, FieldDefinition, Kind, Message, ModelDefinition, Shape, copy_inside,
    find, is_whole, last_segment, resolve, str_eq,
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
    let (source, declared) = (last_segment(copy.source.target.name), [holder.model, "::", field]);
    Message::new()
        .field(holder.model, &[field])
        .text(" holds a copy of ")
        .field(source, copy.from)
        .text(", which has no `#[copied_to(..)]` for it: a field declares every copy that its writes update\nhelp: write `#[copied_to(")
        .texts(&declared)
        .text(")]` on ")
        .field(source, &[copy.from[0]])
        .text("; or add `snapshot` to the copy, which then needs no `#[copied_to(..)]` and keeps the value that it is written with\nrule: copy_undeclared")
        .fail()
}

/// Refuses a copy of a model that is an enum, unless the copy is a snapshot: an enum propagates nothing, since the fields of its variants
/// cannot be declared as copied.
#[track_caller]
pub(in crate::checks) const fn enforce_of_struct(source: &ModelDefinition, copy: &CopyDefinition) {
    if source.variants.is_none() || matches!(copy.mode, CopyMode::Snapshot) {
        return;
    }
    Message::new()
        .code(source.model)
        .text(" is an enum, and no write of an enum propagates a copy: the fields of its variants have no `#[copied_to(..)]`\nhelp: add `snapshot` to the copy, which then keeps the value that it is written with; or make ")
        .code(source.model)
        .text(" a struct\nrule: copy_undeclared")
        .fail()
}

/// True when the copied field exists and is fit to be copied. Otherwise the field is refused at the copy.
const fn may_be_copied(copy: &CopyDefinition) -> bool {
    let mut at = 0;
    while at < copy.source.copyable.len() {
        if str_eq(copy.source.copyable[at], copy.from[0]) {
            return true;
        }
        at += 1;
    }
    Allow::any(copy.allows, "copy_of_volatile")
}

/// True when the source declares a missing copy, of this field or in this field: both reports are one mistake.
const fn is_reported_at_the_source(holder: &ModelDefinition, field: &str, copy: &CopyDefinition) -> bool {
    let mut at = 0;
    while at < copy.source.copied_to.len() {
        let copied = &copy.source.copied_to[at];
        if str_eq(copied.holder.name, holder.name)
            && (str_eq(copied.field, copy.from[0]) || str_eq(copied.holder_field, field))
            && find_copy(holder, copied.holder_field, copy.source.target.name, Some(copied.field), true).is_none()
        {
            return true;
        }
        at += 1;
    }
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
    let of = Some(copied.field);
    if find_copy(holder, copied.holder_field, source.name, of, true).is_some()
        || !is_whole(&field.shape)
        || has_unknown(source, holder, copied.holder_field)
    {
        return;
    }
    let message = if let Some(copy) = find_copy(holder, copied.holder_field, source.name, of, false) {
        not_synced(source, holder, copied, copy)
    } else if let Some(other) = other_field(source, holder, copied) {
        in_another_field(source, holder, copied, other)
    } else if let Some(other) = find_other(holder, copied.holder_field, source.name, copied.field) {
        of_another(source, holder, copied, other)
    } else {
        missing(source, holder, copied, field)
    };
    message.text("\nrule: copy_undeclared").fail()
}

/// Starts the message for a copy that exists and that no write of its source reaches.
const fn not_synced(
    source: &ModelDefinition,
    holder: &ModelDefinition,
    copied: &CopiedTo,
    copy: &CopyDefinition,
) -> Message {
    let (word, what) = match copy.mode {
        CopyMode::External => ("external", ": it is updated from a change stream, not by the writes of its source"),
        _ => ("snapshot", ", which keeps the value that it is written with"),
    };
    Message::new()
        .text("the copy of ")
        .field(source.model, copy.from)
        .text(" in ")
        .field(holder.model, &[copied.holder_field])
        .texts(&[" has `", word, "`", what, "\nhelp: remove `", word, "` there, or remove this `#[copied_to(..)]`"])
}

/// Starts the message for a copy in another field of the holder.
const fn in_another_field(
    source: &ModelDefinition,
    holder: &ModelDefinition,
    copied: &CopiedTo,
    other: &str,
) -> Message {
    Message::new()
        .field(holder.model, &[copied.holder_field])
        .text(" holds no copy of ")
        .field(source.model, &[copied.field])
        .text("; ")
        .field(holder.model, &[other])
        .texts(&[" does\nhelp: write `#[copied_to(", holder.model, "::", other, ")]`"])
}

/// Starts the message for a field of the holder that is a copy of a different source field.
const fn of_another(
    source: &ModelDefinition,
    holder: &ModelDefinition,
    copied: &CopiedTo,
    other: &CopyDefinition,
) -> Message {
    Message::new()
        .field(holder.model, &[copied.holder_field])
        .text(" is a copy of ")
        .field(last_segment(other.source.target.name), other.from)
        .text(", not of ")
        .field(source.model, &[copied.field])
        .texts(&[
            "\nhelp: remove this `#[copied_to(..)]`, or name a field of `",
            holder.model,
            "` that is a copy of it",
        ])
}

/// Starts the message for a holder without a copy of the field.
const fn missing(
    source: &ModelDefinition,
    holder: &ModelDefinition,
    copied: &CopiedTo,
    field: &FieldDefinition,
) -> Message {
    let message = Message::new()
        .field(holder.model, &[copied.holder_field])
        .text(" holds no copy of ")
        .field(source.model, &[copied.field])
        .text("\nhelp: write `#[denormalize(from = ");
    let message = match reference(source, holder, copied) {
        Some(reference) => message.texts(&[reference, ".", copied.field, ")]` on "]),
        None => message.texts(&[
            "reference.",
            copied.field,
            ")]`, with the field that is a `Ref<",
            source.model,
            ">` for `reference`, on ",
        ]),
    };
    let message = match innermost_struct(&field.shape) {
        Some(owner) => message.text("a field of ").code(owner),
        None => message.field(holder.model, &[copied.holder_field]),
    };
    message.text("; or remove this `#[copied_to(..)]`")
}

/// Returns the field of the holder that has the copy, in place of the field that the source names.
const fn other_field(source: &ModelDefinition, holder: &ModelDefinition, copied: &CopiedTo) -> Option<&'static str> {
    let mut at = 0;
    while at < holder.fields.len() {
        let name = holder.fields[at].rust_name;
        if find_copy(holder, name, source.name, Some(copied.field), true).is_some() {
            return Some(name);
        }
        at += 1;
    }
    None
}

/// Finds a copy in `field` of the holder, from the model of this full name: a copy of the field `of`, or of any field; a synced copy, or
/// any copy.
const fn find_copy(
    holder: &ModelDefinition,
    field: &str,
    source: &str,
    of: Option<&str>,
    synced: bool,
) -> Option<&'static CopyDefinition> {
    let mut at = 0;
    while at < holder.copies.len() {
        let copy = &holder.copies[at];
        if str_eq(copy.field, field) && is_of(copy, source, of, synced) {
            return Some(copy);
        }
        at += 1;
    }
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
    let mut at = 0;
    while at < holder.copies.len() {
        if str_eq(holder.copies[at].field, field) && is_unknown(source, &holder.copies[at]) {
            return true;
        }
        at += 1;
    }
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
    let mut at = 0;
    while at < holder.copies.len() {
        let copy = &holder.copies[at];
        if str_eq(copy.field, field) && !is_of(copy, source, Some(of), false) {
            return Some(copy);
        }
        at += 1;
    }
    None
}

/// Returns the field that refers to the source, as far as the field is known.
const fn reference(source: &ModelDefinition, holder: &ModelDefinition, copied: &CopiedTo) -> Option<&'static str> {
    if let Some(copy) = find_copy(holder, copied.holder_field, source.name, None, false) {
        return Some(copy.reference);
    }
    let mut at = 0;
    while at < holder.relations.len() {
        let relation = &holder.relations[at];
        if let Some(target) = &relation.target
            && str_eq(target.name, source.name)
        {
            match relation.reference {
                Some(reference) if str_eq(relation.field, copied.holder_field) => return Some(reference),
                None => return Some(relation.field),
                Some(_) => {}
            }
        }
        at += 1;
    }
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
