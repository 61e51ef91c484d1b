//! Rule: `aggregate_fill`
//!
//! `fill` adds a group for each period without documents, so the aggregation has a single key that is a period of time.
//! The groups have no average, no least and no greatest value: such a field is an `Option`.
//!
//! Source: MongoDB, "`$densify`", which steps in UTC only.

use crate::{
    errors::Errors,
    model::aggregate::{Aggregate, KeyForm},
};

pub(in crate::rules) fn enforce(aggregate: &Aggregate, errors: &Errors) {
    let Some(fill) = &aggregate.fill else { return };
    let periods = aggregate.keys.iter().filter(|key| matches!(key.form, KeyForm::Period { .. })).count();
    let (what, help) = match periods {
        1 => return,
        0 if aggregate.has_lost_key => return,
        0 => ("`fill` adds periods of time, and no key is a period", "write a period: `by(month = month(placed))`"),
        _ => (
            "`fill` adds periods of time, and several keys are periods",
            "keep one period, or remove `fill`: the other periods follow from the shortest period",
        ),
    };
    errors.rule(fill, "aggregate_fill", what, help);
}
