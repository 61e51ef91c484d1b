//! Rule: `history_type`. The page is `guide/pages/rules/history_type.md`.

use super::{field_type::kind, unknown_field::list_fields};
use crate::{
    definition::{FieldDefinition, HistoryDefinition, Kind, Scalar, Shape, find, refuse, str_eq},
    field::Record,
};

/// Judges a field with `#[history(..)]`.
#[track_caller]
pub const fn history_field<R: Record>(at: usize) {
    let field = &R::FIELDS[at];
    crate::checks::judge(R::STRUCT, field);
    if field.shape.nullable {
        refuse! {
            "`{}` may be null, and a history is never null: without entries the history is empty", field.rust_name;
            help: "remove the `Option`"
        }
    }
    let is_list = matches!(field.shape.kind, Kind::Array { .. }) && !field.shape.set;
    if !is_list {
        let what = if field.shape.set { "a set without an order" } else { kind(&field.shape) };
        refuse! {
            "`{}` is {}, and a history is a list", field.rust_name, what;
            help: "make the field a `Vec<..>` of a struct with `#[derive(Embed)]`"
        }
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
            refuse! {
                "the intervals of `{}` are sorted by the start, and the start is `{}`", field.rust_name, start;
                help: "write `order = desc({})` for the newest first, or `order = asc({})`", start, start
            }
        }
        return;
    }
    let Some((entry, found)) = of_entry(field, name) else { return };
    if found.shape.nullable || !found.required || found.shape.is_collection() {
        refuse! {
            "`{}.{}` is {}{}, and an entry without a single value has no place in the order",
                entry, name, kind(&found.shape),
                if found.shape.is_collection() { "" } else { " that may be null or absent" };
            help: "order by a field that every entry has, for example a `DateTime`"
        }
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
            not_this(entry, start, found, "begins at a `DateTime`")
        }
    }
    if let Some((entry, found)) = of_entry(field, end) {
        let fits = is_date(&found.shape) && found.shape.nullable;
        if !fits {
            not_this(entry, end, found, "ends at an `Option<DateTime>`: `None` while the interval is open")
        }
    }
}

const fn is_date(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::Scalar(Scalar::DateTime)) && !shape.holds_days()
}

#[track_caller]
const fn not_this(entry: &str, name: &str, found: &FieldDefinition, why: &str) -> ! {
    refuse! {
        "`{}.{}` is {}{}, and an interval {}",
            entry, name, kind(&found.shape), if found.shape.nullable { " that may be null" } else { "" }, why;
        help: "change the type of the field, or name another field"
    }
}

/// Returns the struct of the entries and the struct's field of this name in Rust; `None` when the struct itself has a
/// mistake.
#[track_caller]
const fn of_entry(field: &'static FieldDefinition, name: &str) -> Option<(&'static str, &'static FieldDefinition)> {
    let Kind::Array { items, .. } = &field.shape.kind else { return None };
    if !items.whole {
        return None;
    }
    let Kind::Document { name: entry, fields, .. } = items.kind else {
        refuse! {
            "the entries of `{}` have no field `{}`: the entries are not structs", field.rust_name, name;
            help: "make the field a `Vec<..>` of a struct with `#[derive(Embed)]`"
        }
    };
    match find(fields, name) {
        Some(found) if items.variants.is_some() && !found.required => refuse! {
            "not every variant of `{}` has a field `{}`, and the history needs the field in every entry", entry, name;
            help: "give each variant the field, with the same type"
        },
        Some(found) => Some((entry, found)),
        None => refuse! {
            "`{}` has no field `{}`", entry, name;
            help: "{}", list_fields(entry, fields).as_str()
        },
    }
}
