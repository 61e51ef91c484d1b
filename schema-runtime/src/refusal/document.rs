//! Judges the rules about several fields of a document, as the server judges the document. Pure.

use std::cmp::Ordering;

use super::{
    rule,
    walk::{ARRAY, DOCUMENT, Element, NULL, STRING, elements},
};
use crate::definition::{Comparison, DocumentRule, Literal};

/// The type of `true` and `false`.
const BOOL: u8 = 0x08;

/// The type of a date.
const DATE: u8 = 0x09;

/// Returns whether a document obeys a rule. Values of unfit types are left to the validator.
pub(super) fn obeys(rule: &DocumentRule, document: &[u8]) -> bool {
    let value = |name: &str| {
        let found = elements(document).find(|element| element.name == name.as_bytes());
        found.filter(|element| element.kind != NULL)
    };
    match *rule {
        DocumentRule::Compares { operator, left, right } => {
            let order = value(left).zip(value(right)).and_then(|(left, right)| order(&left, &right));
            order.is_none_or(|order| passes(operator, order))
        }
        DocumentRule::RequiredIf { field, on, values } => {
            let is_asked = value(on).is_some_and(|on| values.iter().any(|value| is(&on, value)));
            !is_asked || value(field).is_some()
        }
    }
}

fn passes(operator: Comparison, order: Ordering) -> bool {
    match operator {
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterOrEqual => order.is_ge(),
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
    }
}

/// Returns the order of two values in the order of BSON; `None` for values of different types.
fn order(left: &Element<'_>, right: &Element<'_>) -> Option<Ordering> {
    if let (Some(left), Some(right)) = (left.number(), right.number()) {
        return order_of_numbers(left, right);
    }
    match left.kind {
        _ if left.kind != right.kind => None,
        DATE => {
            let time = |date: &Element<'_>| date.value.first_chunk().map(|bytes| i64::from_le_bytes(*bytes));
            Some(time(left)?.cmp(&time(right)?))
        }
        STRING => Some(left.text().cmp(right.text())),
        ARRAY | DOCUMENT => None,
        _ => Some(left.value.cmp(right.value)),
    }
}

/// Returns the order of two numbers: NaN equals NaN, and is less than each other number.
fn order_of_numbers(left: Literal, right: Literal) -> Option<Ordering> {
    let is_nan = |number: Literal| matches!(number, Literal::Double(number) if number.is_nan());
    match is_nan(left) || is_nan(right) {
        true => Some(is_nan(right).cmp(&is_nan(left))),
        false => rule::order(left, right),
    }
}

/// Returns whether a value is this literal.
fn is(value: &Element<'_>, literal: &Literal) -> bool {
    match (literal, value.number()) {
        (Literal::String(text), _) => value.kind == STRING && value.text() == text.as_bytes(),
        (Literal::Bool(is_true), _) => value.kind == BOOL && value.value == [u8::from(*is_true)],
        (number, Some(found)) => order_of_numbers(found, *number) == Some(Ordering::Equal),
        _ => false,
    }
}
