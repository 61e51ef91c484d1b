//! Rule: `aggregate_type`. The page is `guide/pages/rules/aggregate_type.md`.

pub(in crate::checks) mod result;

pub(in crate::checks) use result::{enforce_counted, enforce_key, enforce_value, enforce_value_of};

use super::source::{self, Source};
use crate::{
    checks::fields::field_type::kind,
    definition::{Kind, Literal, ModelDefinition, Scalar, Term, dotted, each, refuse, str_eq, text},
};

/// Requires a number.
#[track_caller]
pub(in crate::checks) const fn enforce_number(model: &ModelDefinition, path: &[&str], source: &Source) {
    if !matches!(source.shape.kind, Kind::Scalar(scalar) if scalar.is_number()) {
        refuse! {
            "`{}.{}` is {}, and only numbers have a sum and an average",
                model.model, dotted(path).as_str(), kind(&source.shape);
            help: "name a field with a number, or write `#[count]`"
        }
    }
}

/// Requires a single value.
#[track_caller]
pub(in crate::checks) const fn enforce_single(model: &ModelDefinition, path: &[&str], source: &Source) {
    if !matches!(source.shape.kind, Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_)) {
        refuse! {
            "`{}.{}` is {}, and the values of a group are single values",
                model.model, dotted(path).as_str(), kind(&source.shape);
            help: "name a field with a number, a string, an enum, a bool, a date or an id"
        }
    }
}

/// Requires that an operand of an operation always has a value.
#[track_caller]
pub(in crate::checks) const fn enforce_present(
    model: &ModelDefinition,
    unwind: &'static [&'static [&'static str]],
    of: &Term,
) {
    match of {
        Term::Field(path) => {
            if let Some(found) = source::find(model, unwind, path)
                && found.optional
            {
                refuse! {
                    "`{}.{}` may be null or absent, and the result of the operation would then be null",
                        model.model, dotted(path).as_str();
                    help: "write the value of null: `or({}, 0)`", dotted(path).as_str()
                }
            }
        }
        // The second operand stands for a null of the first operand.
        Term::Or(_, second) => enforce_present(model, unwind, second),
        Term::Number(_) | Term::Operation(..) => {}
    }
}

/// Requires that a value of a condition has the type of the field.
#[track_caller]
pub(in crate::checks) const fn enforce_compared(
    model: &ModelDefinition,
    path: &[&str],
    source: &Source,
    value: Literal,
) {
    let fits = match (source.shape.kind, value) {
        (Kind::Scalar(scalar), Literal::Integer(_) | Literal::Double(_)) => scalar.is_number(),
        (Kind::Scalar(Scalar::Bool), Literal::Bool(_)) => true,
        (Kind::String { .. }, Literal::String(_)) => true,
        (Kind::Enum(variants), Literal::String(value)) => {
            enforce_variant(model, path, variants, value);
            true
        }
        _ => false,
    };
    if !fits {
        refuse! {
            "`{}.{}` is {}, and the condition compares the field with another type",
                model.model, dotted(path).as_str(), kind(&source.shape);
            help: "write a value of the field's type: a number, a text or a bool"
        }
    }
}

/// Requires that a text of a condition is a stored value of the enum.
#[track_caller]
const fn enforce_variant(model: &ModelDefinition, path: &[&str], variants: &[&str], value: &str) {
    let (mut list, mut separator) = (text!(""), "");
    each!(for variant in variants {
        if str_eq(variant, value) {
            return;
        }
        list.push(text!("{}\"{}\"", separator, variant).as_str());
        separator = ", ";
    });
    refuse! {
        "the enum of `{}.{}` stores no variant as \"{}\"", model.model, dotted(path).as_str(), value;
        help: "write a stored name: {}", list.as_str()
    }
}
