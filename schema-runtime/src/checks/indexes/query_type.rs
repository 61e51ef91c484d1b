//! Rule: `query_type`. The page is `guide/pages/rules/query_type.md`.

use super::parallel_arrays::are_parallel;
use crate::{
    definition::{ConditionOperator, Kind, ModelDefinition, ResolvedPath, dotted, each, is_path, refuse, resolve},
    model::Model,
};

/// Judges condition number `condition` of query number `query` of `M`.
#[track_caller]
pub const fn query_condition<M: Model>(query: usize, condition: usize) {
    let definition = M::DEFINITION;
    let query = &M::QUERIES[query];
    let (earlier, [condition, ..]) = query.conditions.split_at(condition) else { return };
    let Some(path) = resolve(definition.fields, condition.path) else { return };
    if matches!(path.shape.kind, Kind::Array { .. })
        && matches!(condition.operator, ConditionOperator::Equals | ConditionOperator::IsIn)
    {
        refuse! {
            "`{}.{}` is an array, and an index finds no document by a whole array",
                definition.model, dotted(condition.path).as_str();
            help: "write `contains(..)` to find the documents that have an element"
        }
    }
    if matches!(path.shape.kind, Kind::Opaque { raw: Some(_), .. }) {
        refuse! {
            "`{}.{}` may be a value of any form, and an index of such values serves no query of a type",
                definition.model, dotted(condition.path).as_str();
            help: "ask for a field of a type that this crate knows"
        }
    }
    if matches!(path.shape.kind, Kind::Opaque { .. }) {
        refuse! {
            "`{}.{}` is opaque: the type of the stored value is unknown",
                definition.model, dotted(condition.path).as_str();
            help: "ask for a field of a type that this crate knows"
        }
    }
    each!(for other in earlier {
        enforce_one_array(definition, other.path, condition.path);
    });
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
        "is an array or inside of an array, and an order needs a single value of each document"
    } else if !is_one_value(&found) {
        "is not a single value, and an order needs a single value of each document"
    } else {
        return;
    };
    refuse! {
        "`{}.{}` {}", definition.model, dotted(path).as_str(), why;
        help: "order by a field that is a number, a string, a bool, a date or an id"
    }
}

const fn is_one_value(path: &ResolvedPath) -> bool {
    matches!(path.shape.kind, Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_))
}

#[track_caller]
const fn enforce_one_array(definition: &ModelDefinition, first: &[&str], second: &[&str]) {
    if let (Some(one), Some(other)) = (resolve(definition.fields, first), resolve(definition.fields, second))
        && one.array_at > 0
        && one.array_at == other.array_at
        && is_path(first.split_at(one.array_at).0, second.split_at(one.array_at).0)
    {
        refuse! {
            "`{}.{}` and `{}.{}` are fields of the elements of an array, and an index finds an element by only one of the two fields",
                definition.model, dotted(first).as_str(), definition.model, dotted(second).as_str();
            help: "keep only one of the two conditions here, and add `elem_match` with both conditions with `.filter(..)` where the query is read"
        }
    }
    if are_parallel(definition.fields, first, second) {
        refuse! {
            "`{}` and `{}` are in two arrays, and no index has keys in both arrays",
                first[first.len() - 1], second[second.len() - 1];
            help: "keep only one of the two conditions here, and add the second condition with `.filter(..)` where the query is read"
        }
    }
}
