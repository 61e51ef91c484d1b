//! Rule: `aggregate_bound`
//!
//! `#[collect(city, max = 100)]` and `#[count_distinct(customer, max = 10_000)]` say the most values of a group.
//! Without a bound, a group grows to 16 MB, and then the reply fails.
//!
//! Source: MongoDB, "`$push`", "`$firstN`".

use crate::{
    errors::Errors,
    model::aggregate::{Aggregate, ValueKind},
};

pub(in crate::rules) fn enforce(aggregate: &Aggregate, errors: &Errors) {
    for value in aggregate.fields.iter().filter_map(|field| field.value.as_ref()) {
        let (word, of) = match &value.kind {
            ValueKind::Collect { of, max: None } => ("collect", of),
            ValueKind::CountDistinct { of, max: None } => ("count_distinct", of),
            _ => continue,
        };
        errors.rule(
            &value.tokens,
            "aggregate_bound",
            &format!("`{word}` has no `max`, and a group of the server grows to 16 MB, then the reply fails"),
            &format!("write the most values of a group: `#[{word}({}, max = 100)]`", of.path.join(".")),
        );
    }
}
