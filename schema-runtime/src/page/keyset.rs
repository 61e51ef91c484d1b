//! The condition that a document comes after a known place in an order.
//!
//! The comparisons are `$expr`s: an `$expr` compares as the sort does, across types, and with NaN as the smallest
//! number. The query operators `$lt` and `$gt` look at a single type, so that a page after a date would never reach the
//! documents with a string in the field. Equality is the equality of queries and takes an absent field for null, as the
//! sort does.
//!
//! Seen on a 6.0 server: each clause becomes one bounded range of the index, and a merge keeps the order, so that a
//! page of 50 examines 51 keys at any depth. A document that holds an array where the order has one value has no place.
//!
//! The merge (`SORT_MERGE`) compares fetched documents and takes an absent field for less than null, unlike a sort and
//! an index. Two clauses that both ask for null in one field could hence come in a wrong order. For this reason all
//! keys after a null are one clause: one range of the index, read in index order. The server examines the documents of
//! this range that are equal to the place up to the key after the null. A filter of a caller that is itself an `$or`
//! can still be merged in a wrong order.

use mongodb::bson::{Bson, Document, doc};

use super::Order;
use crate::field;

/// Returns the condition that a document comes after the place with these values; each key of the order has one value.
pub(crate) fn after(order: &Order, values: &[Bson]) -> Document {
    let places: Vec<Place<'_>> =
        order.keys.iter().zip(values).map(|((name, descending), value)| (name.as_str(), *descending, value)).collect();
    let mut clauses = Vec::new();
    let mut equal = Document::new();
    for (at, &(name, descending, value)) in places.iter().enumerate() {
        let mut clause = equal.clone();
        clause.extend(beyond(name, descending, value));
        clauses.push(clause);
        equal.extend(field::equal(name.to_owned(), value.clone()));
        let rest = &places[at + 1..];
        if *value == Bson::Null && rest.len() > 1 {
            equal.extend(in_one_range(rest));
            clauses.push(equal);
            break;
        }
    }
    match clauses.len() {
        1 => clauses.remove(0),
        _ => doc! { "$or": clauses },
    }
}

/// A key of the order, whether the key is descending, and the value of the key at the place.
type Place<'a> = (&'a str, bool, &'a Bson);

/// Returns the condition that a document comes after the place by these keys, in one range of an index. The server
/// makes no ranges of a `$nor`, and hence no merge.
fn in_one_range(places: &[Place<'_>]) -> Document {
    let mut not_after = Vec::new();
    let mut equal = Document::new();
    for &(name, descending, value) in places {
        let mut before = equal.clone();
        before.extend(beyond(name, !descending, value));
        not_after.push(before);
        equal.extend(field::equal(name.to_owned(), value.clone()));
    }
    not_after.push(equal);
    let mut condition = doc! { "$nor": not_after };
    let (name, descending, value) = places[0];
    // Ascending, nearly nothing comes before null, and an absent field is less than null in an expression.
    if descending || *value != Bson::Null {
        let operator = if descending { "$lte" } else { "$gte" };
        condition.insert("$expr", compare(operator, name, value));
    }
    condition
}

/// Returns the condition that a field comes after `value`.
fn beyond(name: &str, descending: bool, value: &Bson) -> Document {
    match value {
        // An absent field is less than null in an expression and equal to null in a sort; only MinKey sorts below both.
        Bson::Null if descending => doc! { name: Bson::MinKey },
        _ => doc! { "$expr": compare(if descending { "$lt" } else { "$gt" }, name, value) },
    }
}

/// Returns the expression that compares a field with a value.
fn compare(operator: &str, name: &str, value: &Bson) -> Document {
    doc! { operator: [format!("${name}"), { "$literal": value.clone() }] }
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
    fn one_clause_for_all_that_follows_a_null() {
        let order = order(&[("name", false), ("score", true), ("_id", false)]);
        let condition = after(&order, &[Bson::Null, Bson::Double(1.5), Bson::Int32(3)]);
        let expected = doc! { "$or": [
            { "$expr": { "$gt": ["$name", { "$literal": Bson::Null }] } },
            {
                "name": Bson::Null,
                "$nor": [
                    { "$expr": { "$gt": ["$score", { "$literal": 1.5 }] } },
                    { "score": 1.5, "$expr": { "$lt": ["$_id", { "$literal": 3 }] } },
                    { "score": 1.5, "_id": 3 },
                ],
                "$expr": { "$lte": ["$score", { "$literal": 1.5 }] },
            },
        ] };
        assert_eq!(condition, expected);
        // A null in the key before the last key leaves one clause after the null in any case.
        let condition = after(&order, &[Bson::String("a".into()), Bson::Null, Bson::Int32(3)]);
        assert!(!condition.to_string().contains("$nor"), "{condition}");
        assert_eq!(condition.get_array("$or").unwrap().len(), 3);
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
