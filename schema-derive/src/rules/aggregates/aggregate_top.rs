//! Rule: `aggregate_top`
//!
//! `top`, `first` and `last` name the order: without an order, MongoDB takes any document. `top` says the number of
//! documents of each group, at most 200.
//!
//! Source: MongoDB, "`$first`", "`$topN`"; a reply has 16 MB for all groups.

use crate::{
    errors::Errors,
    model::aggregate::{Aggregate, ValueKind},
};

/// The most documents of a group.
const MOST: u64 = 200;

pub(in crate::rules) fn enforce(aggregate: &Aggregate, errors: &Errors) {
    for value in aggregate.fields.iter().filter_map(|field| field.value.as_ref()) {
        let (word, order) = match &value.kind {
            ValueKind::Top { order, .. } => ("top", order),
            ValueKind::First { order, .. } => ("first", order),
            ValueKind::Last { order, .. } => ("last", order),
            _ => continue,
        };
        let mistake = match &value.kind {
            ValueKind::Top { most: None, .. } => {
                "`top` does not say how many documents of each group are read".to_owned()
            }
            ValueKind::Top { most: Some(most), .. } if most.value > MOST => {
                format!("`top` reads {} documents of each group, and {MOST} are the most", most.value)
            }
            _ if order.is_empty() => format!("`{word}` has no order, and the server would take any document"),
            _ => continue,
        };
        let help = match &value.kind {
            ValueKind::Top { .. } => "write `#[top(3, order = desc(total))]`".to_owned(),
            _ => format!("write `#[{word}(total, order = asc(placed))]`"),
        };
        errors.rule(&value.tokens, "aggregate_top", &mistake, &help);
    }
}
