//! Judges a stored value by one rule, as the server judges the value. Pure.

use std::{cmp::Ordering, str};

use super::{
    multiple::is_multiple,
    pattern,
    unique::are_unique,
    walk::{ARRAY, DOCUMENT, Element, STRING, elements},
};
use crate::definition::{Literal, ValueRule};

/// Returns whether a value obeys a rule. A value of another type than the declared type is left to the validator.
pub(super) fn obeys(rule: &ValueRule, element: &Element<'_>) -> bool {
    match *rule {
        ValueRule::Min(limit) => compares(element, limit, Ordering::is_ge),
        ValueRule::Max(limit) => compares(element, limit, Ordering::is_le),
        ValueRule::MoreThan(limit) => compares(element, limit, Ordering::is_gt),
        ValueRule::LessThan(limit) => compares(element, limit, Ordering::is_lt),
        ValueRule::MultipleOf(limit) => element.number().is_none_or(|number| is_multiple(number, limit)),
        ValueRule::MinLen(least) | ValueRule::MinItems(least) => has(element, least),
        ValueRule::NotEmpty => has(element, 1),
        ValueRule::Pattern(..) | ValueRule::Email | ValueRule::Url => matches(rule, element),
        ValueRule::OneOf(values) => is_one_of(element, values),
        ValueRule::UniqueItems => element.kind != ARRAY || are_unique(element),
        // The function is asked with the shape of the value.
        ValueRule::With(_) => true,
    }
}

fn matches(rule: &ValueRule, element: &Element<'_>) -> bool {
    match (element.kind, rule.pattern(), str::from_utf8(element.text())) {
        (STRING, Some(pattern), Ok(text)) => pattern::matches(pattern, text),
        _ => true,
    }
}

fn is_one_of(element: &Element<'_>, values: &[Literal]) -> bool {
    values.iter().any(|value| match *value {
        Literal::String(value) => element.kind == STRING && element.text() == value.as_bytes(),
        value => element.number().is_some() && compares(element, value, Ordering::is_eq),
    })
}

/// Returns whether a string has the code points, or a collection has the elements or entries.
fn has(element: &Element<'_>, least: u64) -> bool {
    let size = match element.kind {
        STRING => str::from_utf8(element.text()).map_or(0, |text| text.chars().count()),
        ARRAY | DOCUMENT => elements(element.value).count(),
        _ => return true,
    };
    size as u64 >= least
}

/// Returns whether the order of a number and a limit passes. NaN has no order, and passes no limit.
fn compares(element: &Element<'_>, limit: Literal, passes: fn(Ordering) -> bool) -> bool {
    match (element.number(), limit) {
        (Some(number), Literal::Integer(_) | Literal::Double(_)) => order(number, limit).is_some_and(passes),
        _ => true,
    }
}

/// Returns the order of two numbers; `None` for NaN and for literals that are no numbers.
pub(super) fn order(left: Literal, right: Literal) -> Option<Ordering> {
    match (left, right) {
        (Literal::Integer(left), Literal::Integer(right)) => Some(left.cmp(&right)),
        (Literal::Double(left), Literal::Double(right)) => left.partial_cmp(&right),
        (Literal::Integer(left), Literal::Double(right)) => order_of_whole(left, right),
        (Literal::Double(left), Literal::Integer(right)) => order_of_whole(right, left).map(Ordering::reverse),
        _ => None,
    }
}

/// Compares a whole number with a double, without the loss of a conversion to a double.
fn order_of_whole(whole: i64, double: f64) -> Option<Ordering> {
    /// 2^63, the first double above all whole numbers of 64 bits.
    const END: f64 = 9_223_372_036_854_775_808.0;
    if double.is_nan() {
        return None;
    }
    if double >= END {
        return Some(Ordering::Less);
    }
    if double < -END {
        return Some(Ordering::Greater);
    }
    let floor = double.floor();
    let of_floor = whole.cmp(&(floor as i64));
    Some(if of_floor.is_eq() && double > floor { Ordering::Less } else { of_floor })
}
