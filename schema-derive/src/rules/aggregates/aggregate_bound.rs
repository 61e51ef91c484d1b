//! Rule: `aggregate_bound`. The page is `guide/pages/rules/aggregate_bound.md`.

use crate::{
    errors::Errors,
    model::aggregate::{Aggregate, ValueKind},
};

pub(in crate::rules) fn enforce(aggregate: &Aggregate, errors: &Errors) {
    for field in &aggregate.fields {
        let Some(value) = &field.value else { continue };
        let relation = field.children.as_ref().map(|children| children.text() + ", ").unwrap_or_default();
        let (word, of) = match &value.kind {
            ValueKind::Collect { of, max: None } => ("collect", of),
            ValueKind::CountDistinct { of, max: None } => ("count_distinct", of),
            _ => continue,
        };
        errors.rule(
            &value.tokens,
            "aggregate_bound",
            &format!("`{word}` has no `max`, and a group of the server grows to 16 MB, then the reply fails"),
            &format!("write the most values of a group: `#[{word}({relation}{}, max = 100)]`", of.path.join(".")),
        );
    }
}
