//! Rule: `aggregate_fill`. The page is `guide/pages/rules/aggregate_fill.md`.

use crate::{
    errors::Errors,
    model::aggregate::{Aggregate, KeyForm},
};

pub(in crate::rules) fn enforce(aggregate: &Aggregate, errors: &Errors) {
    let Some(fill) = aggregate.fill.as_ref().filter(|_| !aggregate.is_of_parents()) else { return };
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
