//! Rule: `query_type`
//!
//! An index can serve the conditions and the order of a `#[query(..)]`:
//!
//! - An order is by fields that hold a single value: an array sorts by a single element, and a struct or a map by bytes that nobody reads.
//! - A condition on a whole array is `contains`, which finds an element.
//! - An index has keys in a single array only, and finds the elements of the array by a single key: a query has a condition on at most one
//!   array field.
//! - Pages of `is_in` are sorted in memory, since each value of the list has a separate place in the index.
//! - Pages of a range declare their order, since the order of `_id` finds no range.
//! - A condition or an order may be on an `Option`: null is an ordinary value, and the least value.
//!
//! Source: MongoDB, "compound multikey indexes" and "sort by an array"; seen on a 6.0 server.

use super::parallel_arrays::are_parallel;
use crate::{
    definition::{ConditionOperator, Kind, Message, ModelDefinition, ResolvedPath, resolve, str_eq},
    model::Model,
};

const RULE: &str = "\nrule: query_type";

/// Judges condition number `condition` of query number `query` of `M`.
#[track_caller]
pub const fn query_condition<M: Model>(query: usize, condition: usize) {
    let definition = M::DEFINITION;
    let query = &M::QUERIES[query];
    let condition_definition = &query.conditions[condition];
    let Some(path) = resolve(definition.fields, condition_definition.path) else { return };
    if matches!(path.shape.kind, Kind::Array { .. })
        && matches!(condition_definition.operator, ConditionOperator::Equals | ConditionOperator::IsIn)
    {
        Message::new()
            .field(definition.model, condition_definition.path)
            .text(" is an array, and a whole one is equal to nothing that an index finds\nhelp: write `contains(..)`, which finds the documents that have an element")
            .text(RULE)
            .fail()
    }
    if matches!(path.shape.kind, Kind::Opaque { .. }) {
        Message::new()
            .field(definition.model, condition_definition.path)
            .text(
                " is opaque: nothing says what is stored there\nhelp: ask for a field of a type that this crate knows",
            )
            .text(RULE)
            .fail()
    }
    let mut other = 0;
    while other < condition {
        enforce_one_array(definition, query.conditions[other].path, condition_definition.path);
        other += 1;
    }
}

/// Judges key number `key` of the order of query number `query` of `M`.
#[track_caller]
pub const fn query_order<M: Model>(query: usize, key: usize) {
    let definition = M::DEFINITION;
    let path = M::QUERIES[query].order[key].path;
    let Some(found) = resolve(definition.fields, path) else {
        crate::checks::fields::unknown_field::enforce(definition, path);
        return;
    };
    let why = if found.array_at > 0 {
        " is an array or inside of one, and an order needs one value of each document"
    } else if !is_one_value(&found) {
        " is no single value, and an order needs one"
    } else {
        return;
    };
    Message::new()
        .field(definition.model, path)
        .text(why)
        .text("\nhelp: order by a field that is one number, string, bool, date or id")
        .text(RULE)
        .fail()
}

const fn is_one_value(path: &ResolvedPath) -> bool {
    matches!(path.shape.kind, Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_))
}

#[track_caller]
const fn enforce_one_array(definition: &ModelDefinition, first: &[&str], second: &[&str]) {
    if let (Some(one), Some(other)) = (resolve(definition.fields, first), resolve(definition.fields, second))
        && one.array_at > 0
        && one.array_at == other.array_at
        && begin_alike(first, second, one.array_at)
    {
        Message::new()
            .field(definition.model, first)
            .text(" and ")
            .field(definition.model, second)
            .text(" are of the elements of one array, and an index finds them by one of the two\nhelp: ask for one of them here, and add `elem_match` with both with `.filter(..)` where the query is read")
            .text(RULE)
            .fail()
    }
    if are_parallel(definition.fields, first, second) {
        Message::new()
            .code(first[first.len() - 1])
            .text(" and ")
            .code(second[second.len() - 1])
            .text(" are in two arrays, and no index has keys in both\nhelp: ask for one of them here, and add the other with `.filter(..)` where the query is read")
            .text(RULE)
            .fail()
    }
}

const fn begin_alike(first: &[&str], second: &[&str], length: usize) -> bool {
    let mut at = 0;
    while at < length {
        if !str_eq(first[at], second[at]) {
            return false;
        }
        at += 1;
    }
    true
}
