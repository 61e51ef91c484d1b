//! `#[history(..)]`: the newest entries of a list.

use super::{number, order::lower_order};
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{History, Interval, Number, Stored},
    parse::{Argument, Arguments, Value},
};

const EXAMPLE: &str = "write `#[history(keep = 50, order = desc(date_start), interval(date_start, date_end))]`: the most entries of the history, the order of the entries, and the fields from when and until when an entry holds";

/// Reads a history; `None` after a mistake. Without `keep` the number is 0, and the rule `history_keep` reports the
/// mistake.
pub(super) fn lower_history(attribute: &syn::Attribute, errors: &Errors) -> Option<Stored> {
    let before = errors.count();
    let mut arguments = Arguments::read(attribute, errors);
    arguments.expect_words(&Attribute::History.words(), errors);
    let keep = number(arguments.get("keep"));
    let order = arguments.get("order").map(|order| lower_order(order, errors)).unwrap_or_default();
    let interval = arguments.get("interval").map(|argument| lower_interval(argument, errors));
    if errors.count() > before {
        return None;
    }
    let keep = keep.unwrap_or_else(|| {
        let path = attribute.path();
        Number { value: 0, tokens: syn::parse_quote!(#path) }
    });
    Some(Stored::History(History { keep, order, interval: interval.flatten() }))
}

fn lower_interval(argument: &Argument, errors: &Errors) -> Option<Interval> {
    let is_field = |field: &Argument| matches!(field.value, Value::None) && !field.word.contains([':', '.']);
    match argument.inside() {
        [start, end] if is_field(start) && is_field(end) => {
            Some(Interval { start: start.word.clone(), end: end.word.clone(), tokens: argument.tokens.clone() })
        }
        _ => {
            errors.at(&argument.tokens, format!("`interval` takes two fields of the entries\nhelp: {EXAMPLE}"));
            None
        }
    }
}
