//! Rules about aggregations. The derive calls the functions of this file.

pub(super) mod aggregate_field;
pub(super) mod aggregate_key;
pub(super) mod aggregate_lookup;
pub(super) mod aggregate_top;
pub(super) mod aggregate_type;
pub(super) mod aggregate_unwind;
pub(super) mod facet_limit;
pub(super) mod facets;
mod source;

pub use aggregate_type::result::aggregate_looked_up;

use crate::{
    definition::{ModelDefinition, Shape, Term, Test, ValueKind, each},
    model::{Aggregate, AggregateSource},
};
use source::Source;

/// Judges the array number `at` that an aggregation unwinds.
#[track_caller]
pub const fn aggregate_unwound<A: Aggregate>(at: usize) {
    if is_whole::<A>() {
        aggregate_unwind::enforce_array(documents::<A>(), A::AGGREGATE.unwind, at);
    }
}

/// Judges key number `at`.
#[track_caller]
pub const fn aggregate_key<A: Aggregate>(at: usize) {
    if !is_whole::<A>() {
        return;
    }
    let key = &A::AGGREGATE.keys[at];
    let source = field::<A>(key.path);
    aggregate_key::enforce(documents::<A>(), key, &source);
}

/// Judges the type of the field of key number `at`.
#[track_caller]
pub const fn aggregate_key_type<A: Aggregate>(at: usize) {
    let (keys, fields) = (A::AGGREGATE.keys, A::FIELDS);
    if !is_whole::<A>() {
        return;
    }
    let key = &keys[at];
    let Some(source) = source::find(documents::<A>(), A::AGGREGATE.unwind, key.path) else { return };
    if aggregate_key::fits(key, &source) {
        aggregate_type::enforce_key(&fields[key.field], key, &source);
    }
}

/// Judges the fields in value number `at`.
#[track_caller]
pub const fn aggregate_value<A: Aggregate>(at: usize) {
    if !is_whole::<A>() {
        return;
    }
    match A::AGGREGATE.values[at].kind {
        ValueKind::Count(None) | ValueKind::Top { .. } => {}
        ValueKind::Count(Some(condition)) | ValueKind::Any(condition) | ValueKind::All(condition) => {
            test::<A>(&condition);
        }
        ValueKind::CountDistinct { path, .. } | ValueKind::Collect { path, .. } => {
            aggregate_type::enforce_single(documents::<A>(), path, &field::<A>(path));
        }
        ValueKind::First { path, .. } | ValueKind::Last { path, .. } => {
            aggregate_type::enforce_single(documents::<A>(), path, &field::<A>(path));
        }
        ValueKind::Sum(of) | ValueKind::Avg(of) | ValueKind::StdDev(of) => term::<A>(&of, true),
        ValueKind::Min(of) | ValueKind::Max(of) => term::<A>(&of, false),
        ValueKind::Lookup { key, .. } => aggregate_lookup::enforce(&A::ALL, documents::<A>(), key),
    }
}

/// Judges key number `key` of the order of value number `at`.
#[track_caller]
pub const fn aggregate_order<A: Aggregate>(at: usize, key: usize) {
    if !is_whole::<A>() {
        return;
    }
    if let ValueKind::First { order, .. } | ValueKind::Last { order, .. } | ValueKind::Top { order, .. } =
        A::AGGREGATE.values[at].kind
    {
        let source = field::<A>(order[key].path);
        aggregate_top::enforce_order(documents::<A>(), order[key].path, &source);
    }
}

/// Judges the type of the field of value number `at`.
#[track_caller]
pub const fn aggregate_value_type<A: Aggregate>(at: usize) {
    if is_whole::<A>() {
        let value = &A::AGGREGATE.values[at];
        aggregate_type::enforce_value::<A>(value);
        if let ValueKind::Top { fields, .. } = value.kind {
            aggregate_top::enforce_rows(documents::<A>(), &A::FIELDS[value.field].shape, fields);
        }
    }
}

const fn is_whole<A: Aggregate>() -> bool {
    documents::<A>().whole
}

/// Returns the fields of the documents.
const fn documents<A: Aggregate>() -> &'static ModelDefinition {
    <A::Source as AggregateSource>::DOCUMENTS
}

/// Returns the field at a path of the documents.
#[track_caller]
const fn field<A: Aggregate>(path: &'static [&'static str]) -> Source {
    let model = documents::<A>();
    aggregate_field::enforce(model, path);
    aggregate_unwind::enforce(model, A::AGGREGATE.unwind, path);
    match source::find(model, A::AGGREGATE.unwind, path) {
        Some(source) => source,
        None => Source { shape: Shape::opaque(0), optional: true },
    }
}

/// Judges the fields of a term. `numbers`: the value is a number.
#[track_caller]
const fn term<A: Aggregate>(of: &Term, numbers: bool) {
    match of {
        Term::Field(path) => {
            let source = field::<A>(path);
            let model = documents::<A>();
            if numbers {
                aggregate_type::enforce_number(model, path, &source);
            } else {
                aggregate_type::enforce_single(model, path, &source);
            }
        }
        Term::Number(_) => {}
        Term::Or(first, second) => {
            term::<A>(first, true);
            term::<A>(second, true);
        }
        Term::Operation(_, left, right) => {
            term::<A>(left, true);
            term::<A>(right, true);
            let unwind = A::AGGREGATE.unwind;
            aggregate_type::enforce_present(documents::<A>(), unwind, left);
            aggregate_type::enforce_present(documents::<A>(), unwind, right);
        }
    }
}

#[track_caller]
const fn test<A: Aggregate>(of: &Test) {
    match of {
        Test::Compare { path, value, .. } => {
            let source = field::<A>(path);
            aggregate_type::enforce_compared(documents::<A>(), path, &source, *value);
        }
        Test::IsNull(path) => {
            let _ = field::<A>(path);
        }
        Test::Every(tests) | Test::Some(tests) => {
            each!(for inner in tests {
                test::<A>(inner);
            });
        }
        Test::Not(inner) => test::<A>(inner),
    }
}
