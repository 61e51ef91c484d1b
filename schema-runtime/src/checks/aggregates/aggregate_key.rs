//! Rule: `aggregate_key`. The page is `guide/pages/rules/aggregate_key.md`.

use super::source::Source;
use crate::{
    checks::{aggregates::aggregate_type::result::is_below_day, fields::field_type::kind},
    definition::{KeyDefinition, KeyForm, Kind, Literal, ModelDefinition, Scalar, dotted, each, refuse, str_eq},
};

/// Returns whether documents can be grouped by the field.
pub(in crate::checks) const fn fits(key: &KeyDefinition, source: &Source) -> bool {
    match (&key.form, source.shape.kind) {
        (KeyForm::Value, Kind::Scalar(scalar)) => !scalar.is_float(),
        (KeyForm::Value, Kind::String { .. } | Kind::Enum(_)) => true,
        (KeyForm::LowerCase, Kind::String { .. }) => true,
        (KeyForm::Period { .. }, Kind::Scalar(Scalar::DateTime)) => true,
        (KeyForm::Ranges(_), Kind::Scalar(scalar)) => scalar.is_number(),
        _ => false,
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, key: &KeyDefinition, source: &Source) {
    if fits(key, source) {
        enforce_limits(model, key, source);
        enforce_days(model, key, source);
        return;
    }
    let is_float = matches!(source.shape.kind, Kind::Scalar(scalar) if scalar.is_float());
    let (why, help) = match (&key.form, source.shape.kind) {
        (KeyForm::Value, _) if is_float => {
            ("a float has a group for each fraction", "write `ranges(price, [0, 10, 50])` with the begin of each range")
        }
        (KeyForm::Value, _) => {
            ("a key is a single value", "name a field with a number, a string, an enum, a bool, a date or an id")
        }
        (KeyForm::LowerCase, _) => ("`ignore_case` is of a string", "name the field without `ignore_case`"),
        (KeyForm::Period { .. }, _) => ("a period is of a date", "name a field with a `DateTime`"),
        (KeyForm::Ranges(_), _) => ("`ranges` are of numbers", "name a field with a number"),
    };
    refuse! {
        "`{}.{}` is {}, and {}", model.model, dotted(key.path).as_str(), kind(&source.shape), why;
        help: "{}", help
    }
}

/// Requires that the type of the field holds each limit of `ranges`: a limit is the value of a key.
#[track_caller]
const fn enforce_limits(model: &ModelDefinition, key: &KeyDefinition, source: &Source) {
    let (KeyForm::Ranges(limits), Some(integer)) = (&key.form, source.shape.integer) else { return };
    let limits: &[Literal] = limits;
    each!(for limit in limits {
        let is_held = match limit {
            Literal::Integer(number) => integer.least <= *number && *number <= integer.greatest,
            _ => false,
        };
        if !is_held {
            refuse! {
                "`{}.{}` is a value of the type `{}`, which does not hold each limit of `ranges`",
                    model.model, dotted(key.path).as_str(), integer.name;
                help: "write whole numbers that the type holds"
            }
        }
    });
}

/// Refuses periods of days without a time that begin at another time than a midnight in UTC, the stored form of a day.
#[track_caller]
const fn enforce_days(model: &ModelDefinition, key: &KeyDefinition, source: &Source) {
    let KeyForm::Period { unit, zone, .. } = key.form else { return };
    if !source.shape.holds_days() {
        return;
    }
    let is_in_utc = matches!(zone, Some(zone) if str_eq(zone, "UTC"));
    if !is_in_utc || is_below_day(unit) {
        refuse! {
            "`{}.{}` is a day without a time, and {}", model.model, dotted(key.path).as_str(),
                if is_in_utc { "a day has no hours" } else { "a time zone would move the day" };
            help: "{}", if is_in_utc { "write `day`, `week`, `month`, `quarter` or `year`" } else { "remove `tz`" }
        }
    }
}
