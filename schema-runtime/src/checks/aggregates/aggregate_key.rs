//! Rule: `aggregate_key`. The page is `guide/pages/rules/aggregate_key.md`.

use super::source::Source;
use crate::{
    checks::fields::field_type::kind,
    definition::{KeyDefinition, KeyForm, Kind, ModelDefinition, Scalar, dotted, refuse},
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
