//! The rules about facets. The derive calls the functions of this file.

use super::{
    aggregate_field, aggregate_key, aggregate_top, aggregate_type, aggregate_unwind, facet_limit,
    source::{self, Source},
};
use crate::{
    definition::{FacetKind, FieldDefinition, KeyDefinition, KeyForm, Kind, ModelDefinition, Term, ValueKind, resolve},
    model::{FacetRows, Facets, Model},
};

/// Requires that a page reads a projection of the model of the facets.
pub const fn facet_page<F: Facets, R: FacetRows<F::Of>>() {}

/// Judges key number `key` of the order of facet number `at`.
#[track_caller]
pub const fn facet_order<F: Facets>(at: usize, key: usize) {
    let model = <F::Of as Model>::DEFINITION;
    if model.whole
        && let FacetKind::Page { order, .. } = F::FACETS.facets[at].kind
    {
        let source = single(model, order[key].path);
        aggregate_top::enforce_order(model, order[key].path, &source);
    }
}

/// Judges the field that facet number `at` counts.
#[track_caller]
pub const fn facet_source<F: Facets>(at: usize) {
    let model = <F::Of as Model>::DEFINITION;
    if !model.whole {
        return;
    }
    let kind = &F::FACETS.facets[at].kind;
    let Some((path, _)) = counted(kind) else { return };
    aggregate_field::enforce(model, path);
    let Some((key, source)) = key_of(model, kind) else { return };
    if aggregate_unwind::facet_depth(model, path) > 1 || matches!(kind, FacetKind::Ranges { .. }) {
        aggregate_unwind::enforce_facet(model, path);
    }
    aggregate_key::enforce(model, &key, &source);
    if let FacetKind::Counts { limit, .. } = kind {
        facet_limit::enforce(model, path, &source.shape, *limit);
    }
}

/// Judges the type of the values of facet number `at`.
#[track_caller]
pub const fn facet_type<F: Facets>(at: usize) {
    let model = <F::Of as Model>::DEFINITION;
    let facet = &F::FACETS.facets[at];
    if !model.whole {
        return;
    }
    if let Some((key, source)) = key_of(model, &facet.kind)
        && aggregate_key::fits(&key, &source)
        && let Kind::Array { items, .. } = F::FIELDS[facet.field].shape.kind
        && let Kind::Document { fields, .. } = items.kind
    {
        let value = FieldDefinition { rust_name: F::FIELDS[facet.field].rust_name, ..fields[0] };
        aggregate_type::enforce_counted(&value, source.shape, source.optional);
    }
}

/// Judges the field of value number `at`.
#[track_caller]
pub const fn facet_value<F: Facets>(at: usize) {
    let model = <F::Of as Model>::DEFINITION;
    if !model.whole {
        return;
    }
    match F::FACETS.values.values[at].kind {
        ValueKind::Sum(Term::Field(path)) | ValueKind::Avg(Term::Field(path)) => {
            aggregate_type::enforce_number(model, path, &single(model, path));
        }
        ValueKind::Min(Term::Field(path)) | ValueKind::Max(Term::Field(path)) => {
            aggregate_type::enforce_single(model, path, &single(model, path));
        }
        _ => {}
    }
}

/// Judges the type of the field of value number `at`.
#[track_caller]
pub const fn facet_value_type<F: Facets>(at: usize) {
    let model = <F::Of as Model>::DEFINITION;
    if model.whole {
        let values = F::FACETS.values;
        aggregate_type::enforce_value_of(model, F::FIELDS, &values, &values.values[at]);
    }
}

/// Returns a field with one value in each document.
#[track_caller]
const fn single(model: &ModelDefinition, path: &'static [&'static str]) -> Source {
    aggregate_field::enforce(model, path);
    aggregate_unwind::enforce_facet(model, path);
    match source::find(model, &[], path) {
        Some(source) => source,
        None => panic!("the model has the field"),
    }
}

/// Returns the path and the form of the values that a facet counts.
const fn counted(kind: &FacetKind) -> Option<(&'static [&'static str], KeyForm)> {
    match kind {
        FacetKind::Page { .. } => None,
        FacetKind::Counts { path, .. } => Some((path, KeyForm::Value)),
        FacetKind::Ranges { path, limits } => Some((path, KeyForm::Ranges(limits))),
    }
}

/// Returns the values that a facet counts: of an array the elements that are not null. Documents outside of all ranges
/// are not counted.
const fn key_of(model: &ModelDefinition, kind: &FacetKind) -> Option<(KeyDefinition, Source)> {
    let Some((path, form)) = counted(kind) else { return None };
    let Some(found) = resolve(model.fields, path) else { return None };
    let is_range = matches!(kind, FacetKind::Ranges { .. });
    let (shape, optional) = match found.shape.kind {
        Kind::Array { items, .. } if !is_range => (*items, false),
        _ => (found.shape, found.array_at == 0 && !is_range && found.optional),
    };
    Some((KeyDefinition { field: 0, path, form }, Source { shape, optional }))
}
