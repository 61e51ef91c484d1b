//! The condition that a document comes after a known place in an order.
//!
//! The comparisons are `$expr`s, which compare as the sort does: across types, and with NaN as the smallest number. The
//! query operators `$lt` and `$gt` look at one type only, so that a page after a date would never reach the documents
//! that hold a string there. Equality is the query's own, which takes an absent field for null, as the sort does.
//!
//! Seen on a 6.0 server: each clause becomes one bounded range of the index, and a merge keeps the order, so that a page of
//! 50 examines 51 keys however deep it is. A document that holds an array where the order has one value has no place.

use mongodb::bson::{Bson, Document, doc};

use super::Order;
use crate::field;

/// The condition that a document comes after the place with these values, one for each key of the order.
pub(crate) fn after(order: &Order, values: &[Bson]) -> Document {
    let mut clauses = Vec::new();
    let mut equal = Document::new();
    for ((name, descending), value) in order.keys.iter().zip(values) {
        let mut clause = equal.clone();
        clause.extend(beyond(name, *descending, value));
        clauses.push(clause);
        equal.extend(field::equal(name.clone(), value.clone()));
    }
    match clauses.len() {
        1 => clauses.remove(0),
        _ => doc! { "$or": clauses },
    }
}

/// The condition that a field comes after `value`.
fn beyond(name: &str, descending: bool, value: &Bson) -> Document {
    match value {
        // An absent field is less than null in an expression and equal to it in a sort; only MinKey sorts below both.
        Bson::Null if descending => doc! { name: Bson::MinKey },
        _ => {
            let operator = if descending { "$lt" } else { "$gt" };
            doc! { "$expr": { operator: [format!("${name}"), { "$literal": value.clone() }] } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(keys: &[(&str, bool)]) -> Order {
        Order { keys: keys.iter().map(|(path, descending)| ((*path).to_owned(), *descending)).collect() }
    }

    #[test]
    fn one_clause_for_each_key() {
        let order = order(&[("time", true), ("_id", true)]);
        let expected = doc! { "$or": [
            { "$expr": { "$lt": ["$time", { "$literal": 7 }] } },
            { "time": 7, "$expr": { "$lt": ["$_id", { "$literal": "a" }] } },
        ] };
        assert_eq!(after(&order, &[Bson::Int32(7), Bson::String("a".into())]), expected);
    }

    #[test]
    fn mixed_directions() {
        let order = order(&[("rank", false), ("time", true), ("_id", true)]);
        let condition = after(&order, &[Bson::Int32(1), Bson::Int32(2), Bson::Int32(3)]);
        let clauses = condition.get_array("$or").unwrap();
        assert_eq!(clauses[0], Bson::from(doc! { "$expr": { "$gt": ["$rank", { "$literal": 1 }] } }));
        assert_eq!(clauses[1], Bson::from(doc! { "rank": 1, "$expr": { "$lt": ["$time", { "$literal": 2 }] } }));
        assert_eq!(
            clauses[2],
            Bson::from(doc! { "rank": 1, "time": 2, "$expr": { "$lt": ["$_id", { "$literal": 3 }] } })
        );
    }

    #[test]
    fn a_value_is_never_an_operator() {
        let order = order(&[("a", true), ("_id", true)]);
        let evil = Bson::from(doc! { "$gt": "" });
        let condition = after(&order, &[evil.clone(), Bson::String("$_id".into())]);
        let expected = doc! { "$or": [
            { "$expr": { "$lt": ["$a", { "$literal": evil.clone() }] } },
            { "a": { "$eq": evil }, "$expr": { "$lt": ["$_id", { "$literal": "$_id" }] } },
        ] };
        assert_eq!(condition, expected);
    }
}
