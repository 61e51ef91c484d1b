//! Rule: `time_series_field`. The page is `guide/pages/rules/time_series_field.md`.
//!
//! The half of the rule that knows the type of the time.

use crate::{
    checks::fields::field_type::kind,
    definition::{Kind, Scalar, refuse},
    model::Model,
};

/// Judges the time of a time series, field number `at`.
#[track_caller]
pub const fn time_series_time<M: Model>(at: usize) {
    let field = &M::FIELDS[at];
    if !matches!(field.shape.kind, Kind::Scalar(Scalar::DateTime)) {
        refuse! {
            "the time of a measurement is a date, and `{}` is {}", field.rust_name, kind(&field.shape);
            help: "name a `DateTime` field"
        }
    }
    if field.shape.nullable {
        refuse! {
            "each measurement has a time, and `{}` may be null", field.rust_name;
            help: "make the field a `DateTime` without `Option`"
        }
    }
}
