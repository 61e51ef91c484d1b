//! Rule: `history_type`
//!
//! A history is a list, sorted by fields that every entry has. Entries that hold from a time to a time begin at a `DateTime`, end at an
//! `Option<DateTime>`, and are in the order of their beginning.
//!
//! Source: MongoDB, "`$push`, `$sort` modifier"; a list with another order would drop entries that are newer than the kept entries.

use super::{field_type::kind, unknown_field::list_fields};
use crate::{
    definition::{FieldDefinition, HistoryDefinition, Kind, Message, Scalar, Shape, find, str_eq},
    field::Record,
};

/// Judges a field with `#[history(..)]`.
#[track_caller]
pub const fn history_field<R: Record>(at: usize) {
    let field = &R::FIELDS[at];
    crate::checks::judge(R::STRUCT, field);
    let message = Message::new().code(field.rust_name);
    if field.shape.nullable {
        message.text(" may be null, and a history never is: without entries it is empty\nhelp: remove the `Option`\nrule: history_type").fail()
    }
    let is_list = matches!(field.shape.kind, Kind::Array { .. }) && !field.shape.set;
    if !is_list {
        message
            .text(" is ")
            .text(if field.shape.set { "a set, which has no order" } else { kind(&field.shape) })
            .text(", and a history is a list\nhelp: make it a `Vec<..>` of a struct with `#[derive(Embed)]`\nrule: history_type")
            .fail()
    }
}

/// Judges a key of the order of a history.
#[track_caller]
pub const fn history_order<R: Record>(at: usize, key: usize) {
    let field = &R::FIELDS[at];
    let Some(history) = field.history else { return };
    let name = history.order[key].field;
    if let Some((start, _)) = history.interval {
        if history.order.len() > 1 || !str_eq(name, start) {
            Message::new()
                .text("the intervals of ")
                .code(field.rust_name)
                .text(" are in the order of their beginning, which is ")
                .code(start)
                .text("\nhelp: write `order = desc(")
                .text(start)
                .text(")` for the newest first, or `order = asc(")
                .text(start)
                .text(")`\nrule: history_type")
                .fail()
        }
        return;
    }
    let Some((entry, found)) = of_entry(field, name) else { return };
    if found.shape.nullable || !found.required || found.shape.is_collection() {
        Message::new()
            .field(entry, &[name])
            .text(" is ")
            .text(kind(&found.shape))
            .text(if found.shape.is_collection() { "" } else { " that may be null or absent" })
            .text(", and an entry without a value of its own has no place in the order\nhelp: order by a field that every entry has, such as a `DateTime`\nrule: history_type")
            .fail()
    }
}

/// Judges the fields of the intervals of a history.
#[track_caller]
pub const fn history_interval<R: Record>(at: usize) {
    let field = &R::FIELDS[at];
    let Some(HistoryDefinition { interval: Some((start, end)), .. }) = field.history else { return };
    if let Some((entry, found)) = of_entry(field, start) {
        let fits = is_date(&found.shape) && !found.shape.nullable && found.required;
        if !fits {
            not_this(entry, start, found, ", and an interval begins at a `DateTime`")
        }
    }
    if let Some((entry, found)) = of_entry(field, end) {
        let fits = is_date(&found.shape) && found.shape.nullable;
        if !fits {
            not_this(entry, end, found, ", and an interval ends at an `Option<DateTime>`: `None` while it is open")
        }
    }
}

const fn is_date(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::Scalar(Scalar::DateTime))
}

#[track_caller]
const fn not_this(entry: &str, name: &str, found: &FieldDefinition, why: &str) -> ! {
    let message = Message::new().field(entry, &[name]).text(" is ").text(kind(&found.shape));
    message
        .text(if found.shape.nullable { " that may be null" } else { "" })
        .text(why)
        .text("\nhelp: change its type, or name another field\nrule: history_type")
        .fail()
}

/// Returns the struct of the entries and the struct's field of this name in Rust; `None` when the struct itself has a mistake.
#[track_caller]
const fn of_entry(field: &'static FieldDefinition, name: &str) -> Option<(&'static str, &'static FieldDefinition)> {
    let Kind::Array { items, .. } = &field.shape.kind else { return None };
    if !items.whole {
        return None;
    }
    let Kind::Document { name: entry, fields, .. } = items.kind else {
        Message::new()
            .text("the entries of ")
            .code(field.rust_name)
            .text(" have no field ")
            .code(name)
            .text(": they are no structs\nhelp: make it a `Vec<..>` of a struct with `#[derive(Embed)]`\nrule: history_type")
            .fail()
    };
    match find(fields, name) {
        Some(found) if items.variants.is_some() && !found.required => Message::new()
            .text("not every variant of ")
            .code(entry)
            .text(" has a field ")
            .code(name)
            .text(", by which the entries are placed\nhelp: give each variant the field, with one type\nrule: history_type")
            .fail(),
        Some(found) => Some((entry, found)),
        None => {
            let message = Message::new().code(entry).text(" has no field ").code(name).text("\nhelp: ");
            list_fields(message, entry, fields).text("\nrule: history_type").fail()
        }
    }
}
