//! Rules about aggregations. The derive calls the functions of this file.

pub(super) mod aggregate_children;
pub(super) mod aggregate_field;
pub(super) mod aggregate_kept;
pub(super) mod aggregate_key;
pub(super) mod aggregate_lookup;
pub(super) mod aggregate_top;
pub(super) mod aggregate_type;
pub(super) mod aggregate_unwind;
mod documents;
pub(super) mod facet_limit;
pub(super) mod facets;
pub(super) mod merge_target;
mod source;

pub use aggregate_type::result::aggregate_looked_up;

use crate::{
    definition::{ModelDefinition, ValueKind},
    model::{Aggregate, AggregateSource, Merged, Model},
};
use documents::Documents;

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
    let source = grouped::<A>().field(key.path);
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
    let kind = &A::AGGREGATE.values[at].kind;
    match kind {
        ValueKind::Lookup { key, .. } => aggregate_lookup::enforce(&A::ALL, documents::<A>(), key),
        _ => grouped::<A>().enforce_value(kind),
    }
}

/// Judges key number `key` of the order of value number `at`.
#[track_caller]
pub const fn aggregate_order<A: Aggregate>(at: usize, key: usize) {
    if is_whole::<A>() {
        grouped::<A>().enforce_order(&A::AGGREGATE.values[at].kind, key);
    }
}

/// Judges the type of the field of value number `at`.
#[track_caller]
pub const fn aggregate_value_type<A: Aggregate>(at: usize) {
    if is_whole::<A>() {
        let value = &A::AGGREGATE.values[at];
        aggregate_type::enforce_value::<A>(value);
        if let ValueKind::Top { fields, .. } = value.kind {
            let (unwind, list) = (A::AGGREGATE.unwind, &A::FIELDS[value.field].shape);
            aggregate_top::enforce_rows(documents::<A>(), unwind, list, fields);
        }
    }
}

/// Judges the model that stores the groups.
#[track_caller]
pub const fn aggregate_merge<A: Merged>() {
    let (of, report) = (<A::Of as Model>::DEFINITION, <A::Into as Model>::DEFINITION);
    if is_whole::<A>() && of.whole && report.whole {
        merge_target::enforce(&A::ALL, of, report);
    }
}

const fn is_whole<A: Aggregate>() -> bool {
    documents::<A>().whole
}

/// Returns the fields of the documents.
const fn documents<A: Aggregate>() -> &'static ModelDefinition {
    <A::Source as AggregateSource>::DOCUMENTS
}

/// Returns the documents of the groups.
const fn grouped<A: Aggregate>() -> Documents {
    Documents { model: documents::<A>(), unwind: A::AGGREGATE.unwind }
}
