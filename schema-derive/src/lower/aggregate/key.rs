//! The keys of an aggregation: `customer`, `month = month(placed, tz = "Europe/Oslo")`.

use syn::{Expr, Lit};

use super::{field_path, word_of};
use crate::{
    errors::Errors,
    model::aggregate::{Key, KeyForm},
    parse::{Constant, path_of},
};

const UNITS: [&str; 8] = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const EXAMPLE: &str = "write `by(customer)`, `by(city = address.city)`, `by(month = month(placed, tz = \"Europe/Oslo\"))`, `by(range = ranges(price, [0, 10, 50]))` or `by(name = ignore_case(name))`";

/// Reads a key; `None` after a mistake.
pub(super) fn lower_key(key: &Expr, errors: &Errors) -> Option<Key> {
    let (name, of) = match key {
        Expr::Assign(assign) => (path_of(&assign.left).filter(|path| path.len() == 1), &*assign.right),
        Expr::Path(_) | Expr::Field(_) => (path_of(key).and_then(|path| Some(vec![path.last()?.clone()])), key),
        _ => (None, key),
    };
    let Some(name) = name.and_then(|name| name.into_iter().next()) else {
        errors.rule(key, "aggregate_field", "this key does not name a field of the result", EXAMPLE);
        return None;
    };
    let Expr::Call(call) = of else {
        let of = field_path(of, errors)?;
        return Some(Key { name, tokens: key.clone(), of, form: KeyForm::Value });
    };
    let arguments: Vec<&Expr> = call.args.iter().collect();
    let word = word_of(&call.func);
    let refuse = || errors.rule(of, "aggregate_key", "this is no key of a group", EXAMPLE);
    let (Some(first), rest) = (arguments.first(), arguments.get(1..).unwrap_or_default()) else {
        refuse();
        return None;
    };
    let form = match (word.as_str(), rest) {
        ("ignore_case", []) => Some(KeyForm::LowerCase),
        ("ranges", [Expr::Array(limits)]) => ranges(limits).map(KeyForm::Ranges),
        (unit, options) if UNITS.contains(&unit) => period(unit, options, errors),
        _ => None,
    };
    let Some(form) = form else {
        refuse();
        return None;
    };
    Some(Key { name, tokens: key.clone(), of: field_path(first, errors)?, form })
}

/// Reads the begins of ranges, which ascend.
pub(in crate::lower) fn ranges(limits: &syn::ExprArray) -> Option<Vec<Constant>> {
    let limits: Option<Vec<Constant>> = limits.elems.iter().map(Constant::of).collect();
    let limits = limits.filter(|limits| !limits.is_empty())?;
    let numbers: Option<Vec<f64>> = limits.iter().map(number_of).collect();
    numbers?.is_sorted_by(|one, other| one < other).then_some(limits)
}

fn number_of(limit: &Constant) -> Option<f64> {
    match limit {
        Constant::Integer(number) => Some(*number as f64),
        Constant::Double(number) => Some(*number),
        Constant::Bool(_) | Constant::String(_) => None,
    }
}

/// Reads the options of a period. A week begins on Monday unless said.
fn period(unit: &str, options: &[&Expr], errors: &Errors) -> Option<KeyForm> {
    let (mut zone, mut start_of_week) = (Some("UTC".to_owned()), "monday".to_owned());
    for option in options {
        let Expr::Assign(assign) = option else { return None };
        match (word_of(&assign.left).as_str(), &*assign.right) {
            ("tz", Expr::Lit(literal)) => {
                let Lit::Str(text) = &literal.lit else { return None };
                if !is_zone(&text.value()) {
                    errors.rule(
                        text,
                        "aggregate_key",
                        "this is no time zone",
                        "write a name of the Olson database, as `\"Europe/Oslo\"`, or an offset from UTC, as `\"+02:00\"`; or write `tz = zone`, and each call gives the zone",
                    );
                }
                zone = Some(text.value());
            }
            ("tz", Expr::Path(_)) if word_of(&assign.right) == "zone" => zone = None,
            ("start_of_week", Expr::Path(_)) if unit == "week" => {
                start_of_week = word_of(&assign.right);
                if !DAYS.contains(&start_of_week.as_str()) {
                    return None;
                }
            }
            _ => return None,
        }
    }
    Some(KeyForm::Period { unit: unit.to_owned(), zone, start_of_week })
}

/// Returns whether a text has the form of a time zone.
fn is_zone(text: &str) -> bool {
    let is_offset =
        text.starts_with(['+', '-']) && text[1..].chars().all(|letter| letter.is_ascii_digit() || letter == ':');
    let is_name = text.chars().all(|letter| letter.is_ascii_alphanumeric() || "/_+-".contains(letter));
    !text.is_empty()
        && (is_offset && text.len() > 2 || is_name && text.starts_with(|letter: char| letter.is_ascii_alphabetic()))
}
