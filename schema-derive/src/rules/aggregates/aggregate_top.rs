//! Rule: `aggregate_top`. The page is `guide/pages/rules/aggregate_top.md`.

use crate::{
    errors::Errors,
    model::aggregate::{Aggregate, ValueKind},
};

/// The most documents of a group.
const MOST: u64 = 200;

pub(in crate::rules) fn enforce(aggregate: &Aggregate, errors: &Errors) {
    for field in &aggregate.fields {
        let Some(value) = &field.value else { continue };
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
        let relation = field.children.as_ref().map(|children| children.text());
        let help = match (&value.kind, relation) {
            (ValueKind::Top { .. }, None) => "write `#[top(3, order = desc(total))]`".to_owned(),
            (ValueKind::Top { .. }, Some(relation)) => {
                format!("write `#[top(3, of = {relation}, order = desc(total))]`")
            }
            (_, None) => format!("write `#[{word}(total, order = asc(placed))]`"),
            (_, Some(relation)) => format!("write `#[{word}({relation}, total, order = asc(placed))]`"),
        };
        errors.rule(&value.tokens, "aggregate_top", &mistake, &help);
    }
}
