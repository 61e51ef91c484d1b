//! Rule: `parallel_arrays`. The page is `guide/pages/rules/parallel_arrays.md`.

use crate::{
    definition::{Direction, FieldDefinition, IndexDefinition, Kind, each, refuse, resolve, str_eq},
    model::Model,
};

/// Judges index number `index` of `M`.
#[track_caller]
pub const fn parallel_arrays<M: Model>(index: usize) {
    let definition = M::DEFINITION;
    let index: &IndexDefinition = &definition.all_indexes[index];
    let mut keys = index.keys;
    while let [left, others @ ..] = keys {
        each!(for right in others {
            let (first, second) = (left.path, right.path);
            // A text index has keys in any number of arrays.
            let has_words = matches!(left.direction, Direction::Text) || matches!(right.direction, Direction::Text);
            if !has_words && are_parallel(definition.fields_of(index, first), first, second) {
                refuse! {
                    "`{}` and `{}` are in two arrays: MongoDB would create this index and then refuse every document that has both arrays",
                        first[first.len() - 1], second[second.len() - 1];
                    help: "declare a separate index for each array"
                }
            }
        });
        keys = others;
    }
}

/// Returns whether an array on the first path is neither inside nor around an array on the second path.
pub(in crate::checks) const fn are_parallel(
    fields: &'static [FieldDefinition],
    first: &[&str],
    second: &[&str],
) -> bool {
    let mut left = 1;
    while left <= first.len() {
        let mut right = 1;
        while right <= second.len() {
            if is_array(fields, first, left) && is_array(fields, second, right) && diverge(first, left, second, right) {
                return true;
            }
            right += 1;
        }
        left += 1;
    }
    false
}

/// Returns whether the first `length` names of a path lead to an array.
const fn is_array(fields: &'static [FieldDefinition], path: &[&str], length: usize) -> bool {
    let (path, _) = path.split_at(length);
    match resolve(fields, path) {
        Some(found) => matches!(found.shape.kind, Kind::Array { .. }),
        None => false,
    }
}

const fn diverge(first: &[&str], left: usize, second: &[&str], right: usize) -> bool {
    let mut at = 0;
    while at < left && at < right {
        if !str_eq(first[at], second[at]) {
            return true;
        }
        at += 1;
    }
    false
}
