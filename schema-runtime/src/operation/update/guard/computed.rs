//! The limits of a field that gets the value of an expression: the filter of an update of one document asks for a value
//! within the limits. Pure.

use mongodb::bson::{Bson, Document, doc};

use super::limit::Limit;
use crate::{
    changes::Operator,
    definition::{Literal, Shape, ValueRule},
    error::FailedRule,
    field::Change,
};

/// A condition on the value of an expression.
#[derive(Clone)]
pub(in crate::operation::update) struct Computed {
    pub(in crate::operation::update) condition: Document,
    pub(in crate::operation::update) failed: FailedRule,
}

impl Computed {
    /// Returns the conditions of all changes.
    pub(in crate::operation::update) fn all(changes: &[Change]) -> Vec<Computed> {
        let is_computed = |change: &&Change| change.operator == Operator::SetExpression;
        changes.iter().filter(is_computed).flat_map(Computed::of).collect()
    }

    fn of(change: &Change) -> Vec<Computed> {
        let Some(shape) = change.shape else { return Vec::new() };
        let computed = |limit: Limit| {
            let condition = condition(&limit.rule, &change.value)?;
            Some(Computed { condition, failed: limit.failed(&change.path, &shape.kind) })
        };
        limits(shape).into_iter().filter_map(computed).collect()
    }
}

/// Returns the limits of the field. In an expression a `long` that overflows becomes a `double`, so that the ends of a
/// `long` are limits, too.
fn limits(shape: &Shape) -> Vec<Limit> {
    let mut limits = Limit::all(shape);
    if let Some(integer) = shape.integer {
        let ends = [
            (integer.least == i64::MIN).then_some(ValueRule::Min(Literal::Integer(i64::MIN))),
            (integer.greatest == i64::MAX).then_some(ValueRule::Max(Literal::Integer(i64::MAX))),
        ];
        limits.extend(ends.into_iter().flatten().map(|rule| Limit { rule, is_width: true }));
    }
    limits
}

fn condition(rule: &ValueRule, value: &Bson) -> Option<Document> {
    let (operator, limit) = match rule {
        ValueRule::Min(limit) => ("$gte", limit),
        ValueRule::Max(limit) => ("$lte", limit),
        ValueRule::MoreThan(limit) => ("$gt", limit),
        ValueRule::LessThan(limit) => ("$lt", limit),
        _ => return None,
    };
    if *rule == ValueRule::Min(Literal::Integer(i64::MIN)) {
        // The least `long` is also a `double`, and so is the value of an overflow.
        let is_long = doc! { "$in": [{ "$type": value }, ["int", "long"]] };
        return Some(doc! { "$expr": { "$or": [{ "$gt": [value, i64::MIN] }, is_long] } });
    }
    let holds = doc! { operator: [value, Bson::from(*limit)] };
    // In an expression NaN is less than all numbers.
    Some(match limit {
        Literal::Integer(_) | Literal::Double(_) => {
            doc! { "$expr": { "$and": [holds, { "$ne": [value, f64::NAN] }] } }
        }
        _ => doc! { "$expr": holds },
    })
}
